/** Footnotes and endnotes: numbered where they are referred to, shown at the document's end. */
import type { Package, Relations } from "./package.js";
import { children, type XmlElement } from "./xml.js";

export type NoteKind = "footnote" | "endnote";

export interface Note {
  id: string;
  mark: string;
  element: XmlElement;
  relations: Relations;
}

const kinds: readonly NoteKind[] = ["footnote", "endnote"];

export class Notes {
  readonly #known = new Map<string, { element: XmlElement; relations: Relations }>();
  readonly #referred = new Map<string, Note>();
  /** Paths of the parts that hold them. */
  readonly paths: string[] = [];

  constructor(file: Package) {
    for (const kind of kinds) {
      const path = file.pathOf(`${kind}s`);
      if (path === undefined) continue;
      this.paths.push(path);
      const relations = file.relationsOf(path);
      for (const element of children(file.part(path), `w:${kind}`))
        if (!element.attributes["w:type"]?.includes("eparator"))
          this.#known.set(`${kind} ${element.attributes["w:id"]}`, { element, relations });
    }
  }

  /** The note that is referred to, numbered in the order of first reference; null where there is none. */
  refer(kind: NoteKind, id: string): Note | null {
    const key = `${kind} ${id}`;
    const known = this.#known.get(key);
    if (!known) return null;
    let note = this.#referred.get(key);
    if (!note) {
      const number = this.#referred.size + 1;
      note = { id: `note-${number}`, mark: String(number), ...known };
      this.#referred.set(key, note);
    }
    return note;
  }

  /** Those referred to; reading them may refer to more. */
  referred(): Iterable<Note> {
    return this.#referred.values();
  }
}
