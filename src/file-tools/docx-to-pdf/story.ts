/** The context in which text is read. A story is the body, a header, a footer or a note. */

import type { ConversionReport } from "../engine.js";
import type { DocxPackage, Relationships } from "./docx-package.js";
import type { Numbering } from "./numbering.js";
import type { Images } from "./pictures.js";
import type { ParagraphStyle, RunStyle, Styles } from "./styles.js";
import type { TextWriter } from "./text.js";
import { children, type XmlElement } from "./xml.js";

interface Note {
  element: XmlElement;
  relationships: Relationships;
}

/** The footnotes and endnotes of a document. Endnotes are drawn as footnotes, which numbers them as one sequence. */
export class Notes {
  readonly #known = new Map<string, Note>();
  readonly #referenced: string[] = [];
  /** Paths of the parts that contain them. */
  readonly paths: string[] = [];

  constructor(file: DocxPackage) {
    for (const kind of ["footnote", "endnote"]) {
      const path = file.pathOf(`${kind}s`);
      if (path === undefined) continue;
      this.paths.push(path);
      const relationships = file.relationshipsOf(path);
      for (const element of children(file.readPart(path), `${kind}`))
        if (!element.attributes.type?.includes("eparator"))
          this.#known.set(`${kind} ${element.attributes.id}`, { element, relationships });
    }
  }

  /** Counts a reference to a note. Returns the note with its number, or null if it does not exist. */
  refer(kind: "footnote" | "endnote", id: string): (Note & { number: number; isFirst: boolean }) | null {
    const key = `${kind} ${id}`;
    const note = this.#known.get(key);
    if (!note) return null;
    const isFirst = !this.#referenced.includes(key);
    if (isFirst) this.#referenced.push(key);
    return { ...note, number: this.#referenced.indexOf(key) + 1, isFirst };
  }
}

/** Parts of the document that all stories share. */
interface DocumentParts {
  styles: Styles;
  numbering: Numbering;
  text: TextWriter;
  images: Images;
  notes: Notes;
  /** Report of the parts that are not drawn. */
  report: ConversionReport;
}

export interface DocxStory extends DocumentParts {
  kind: "body" | "header" | "note";
  relationships: Relationships;
  /** The fields that are open at the current position, which may be nested and span paragraphs. */
  fields: { code: string; isResult: boolean }[];
}

export const createStory = (
  parts: DocumentParts,
  kind: DocxStory["kind"],
  relationships: Relationships,
): DocxStory => ({ ...parts, kind, relationships, fields: [] });

/** Context of blocks: the available room, and the styles that a table applies to its text. */
export interface BlockContext {
  story: DocxStory;
  width: number;
  /** Height of the page's content area, the limit of anything that cannot be split. */
  height: number;
  /** Number of enclosing tables. */
  depth: number;
  run: RunStyle;
  paragraph: ParagraphStyle;
  background: string | undefined;
}

/** Returns the context of blocks outside tables. */
export const topLevelContext = (story: DocxStory, width: number, height: number): BlockContext => ({
  ...{ story, width, height, depth: 0, run: {}, paragraph: {}, background: undefined },
});
