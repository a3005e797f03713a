/** Footnotes and endnotes, numbered by their first reference and shown at the end of the document. */
import type { DocxPackage, Relationships } from "./docx-package.js";
import { children, type XmlElement } from "./xml.js";

export type NoteKind = "footnote" | "endnote";

export interface Note {
  id: string;
  mark: string;
  element: XmlElement;
  relationships: Relationships;
}

const kinds: readonly NoteKind[] = ["footnote", "endnote"];

export class Notes {
  readonly #known = new Map<string, { element: XmlElement; relationships: Relationships }>();
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
  reference(kind: NoteKind, id: string): Note | null {
    const key = `${kind} ${id}`;
    const known = this.#known.get(key);
    if (!known) return null;
    let note = this.#references.get(key);
    if (!note) {
      const number = this.#references.size + 1;
      note = { id: `note-${number}`, mark: String(number), ...known };
      this.#references.set(key, note);
    }
    return note;
  }

  /** Iterates over the referenced notes, including those that notes reference while they are read. */
  referenced(): Iterable<Note> {
    return this.#references.values();
  }
}
