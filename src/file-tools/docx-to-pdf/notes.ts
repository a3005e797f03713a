/** Footnotes and endnotes, numbered by their first reference. */
import type { DocxPackage, Relationships } from "./docx-package.js";
import { children, type XmlElement } from "./xml.js";

export type NoteKind = "footnote" | "endnote";

export interface Note {
  kind: NoteKind;
  /** Name of an endnote as the target of its link. */
  name: string;
  mark: string;
  element: XmlElement;
  relationships: Relationships;
}

const kinds: readonly NoteKind[] = ["footnote", "endnote"];

export class Notes {
  readonly #known = new Map<string, Pick<Note, "element" | "relationships">>();
  readonly #references = new Map<string, Note>();
  /** Paths of the parts that contain them. */
  readonly paths: string[] = [];

  constructor(file: DocxPackage) {
    for (const kind of kinds) {
      const path = file.pathOf(`${kind}s`);
      if (path === undefined) continue;
      this.paths.push(path);
      const relationships = file.relationshipsOf(path);
      for (const element of children(file.readPart(path), `w:${kind}`))
        if (!element.attributes["w:type"]?.includes("eparator"))
          this.#known.set(`${kind} ${element.attributes["w:id"]}`, { element, relationships });
    }
  }

  /** Returns the referenced note, numbering it on first reference, or null if it does not exist. */
  reference(kind: NoteKind, id: string): { note: Note; isFirst: boolean } | null {
    const key = `${kind} ${id}`;
    const known = this.#known.get(key);
    if (!known) return null;
    const note = this.#references.get(key);
    if (note) return { note, isFirst: false };
    const number = this.referenced(kind).length + 1;
    const added = { kind, name: `${kind}-${number}`, mark: String(number), ...known };
    this.#references.set(key, added);
    return { note: added, isFirst: true };
  }

  referenced(kind: NoteKind): Note[] {
    return [...this.#references.values()].filter((note) => note.kind === kind);
  }
}
