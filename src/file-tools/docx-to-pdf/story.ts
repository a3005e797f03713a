/** The context in which text is read. A story is the body, a header, a footer or a note. */

import type { ConversionReport } from "../engine.js";
import type { DocxPackage, Relationships } from "./docx-package.js";
import type { Images } from "./drawings.js";
import type { DocumentBlock } from "./nodes.js";
import type { Numbering } from "./numbering.js";
import type { ParagraphStyle, RunStyle, Styles } from "./styles.js";
import type { TextItems } from "./text-items.js";
import { children, elementsOf, type XmlElement } from "./xml.js";

interface OpenField {
  code: string;
  /** Whether the result, which follows the code, has started. */
  isResult: boolean;
}

/** A supported field. Null for any other, which shows the result that Word has stored. */
export type FieldMeaning =
  | { kind: "page" | "pages" }
  | { kind: "link"; address?: string; anchor?: string }
  | { kind: "pageOf"; anchor: string }
  | null;

function parseField(code: string): FieldMeaning {
  const [name = "", ...words] = (code.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ""));
  const [target = ""] = words;
  switch (name.toUpperCase()) {
    case "PAGE":
      return { kind: "page" };
    case "NUMPAGES":
    case "SECTIONPAGES":
      return { kind: "pages" };
    case "PAGEREF":
      return { kind: "pageOf", anchor: target };
    case "HYPERLINK": {
      const local = words[words.indexOf("\\l") + 1];
      if (words.includes("\\l") && local !== undefined) return { kind: "link", anchor: local };
      return { kind: "link", address: target };
    }
    default:
      return null;
  }
}

/** The open fields at a position of the text. Fields may be nested and span paragraphs. */
class FieldStack {
  readonly #open: OpenField[] = [];

  begin(): void {
    this.#open.push({ code: "", isResult: false });
  }

  addCode(text: string): void {
    const field = this.#open.at(-1);
    if (field && !field.isResult) field.code += text;
  }

  /** Ends the code of the innermost field and returns its meaning. */
  separate(): FieldMeaning {
    const field = this.#open.at(-1);
    if (!field) return null;
    field.isResult = true;
    return parseField(field.code);
  }

  /** Closes the innermost field and returns its meaning if it had no result. */
  end(): FieldMeaning {
    const field = this.#open.pop();
    return field && !field.isResult ? parseField(field.code) : null;
  }

  /** Returns whether text is shown here: outside field codes and the results of computed fields. */
  isShown(isComputed: (meaning: FieldMeaning) => boolean): boolean {
    return this.#open.every(({ code, isResult }) => isResult && !isComputed(parseField(code)));
  }

  /** Like `isShown`, ignoring the innermost field. */
  isShownOutside(isComputed: (meaning: FieldMeaning) => boolean): boolean {
    return this.#open.slice(0, -1).every(({ code, isResult }) => isResult && !isComputed(parseField(code)));
  }

  /** Returns the innermost open link. */
  link(): Extract<FieldMeaning, { kind: "link" }> | null {
    for (const { code, isResult } of [...this.#open].reverse()) {
      const meaning = isResult ? parseField(code) : null;
      if (meaning?.kind === "link") return meaning;
    }
    return null;
  }
}

export type NoteKind = "footnote" | "endnote";

interface Note {
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

/** The bookmarks of the body. Links may precede them. */
interface Bookmarks {
  names: ReadonlySet<string>;
  byParagraph: ReadonlyMap<XmlElement, string[]>;
}

/** Name of the target of a bookmark, which differs from other targets. */
export const targetOf = (bookmark: string): string => `bookmark ${bookmark}`;

/** Finds all bookmarks, each with the paragraph that contains or follows it. */
export function readBookmarks(body: XmlElement): Bookmarks {
  const byParagraph = new Map<XmlElement, string[]>();
  const names = new Set<string>();
  let pending: string[] = [];
  const visit = (element: XmlElement): void => {
    if (element.name === "w:bookmarkStart") pending.push(element.attributes["w:name"] ?? "");
    for (const one of elementsOf(element)) visit(one);
    if (element.name !== "w:p" || pending.length === 0) return;
    byParagraph.set(element, pending);
    for (const name of pending) names.add(name);
    pending = [];
  };
  visit(body);
  return { names, byParagraph };
}

/** Parts of the document that all stories share. */
interface DocumentParts {
  styles: Styles;
  numbering: Numbering;
  texts: TextItems;
  images: Images;
  notes: Notes;
  bookmarks: Bookmarks;
  /** Notes what is not drawn. */
  report: ConversionReport;
  /** Reads the blocks of a cell or note, which its paragraph or table does not know how to read. */
  readBlocks(parent: XmlElement, context: BlockContext): DocumentBlock[];
}

export interface DocxStory extends DocumentParts {
  kind: "body" | "header" | "note";
  relationships: Relationships;
  fields: FieldStack;
  /** The mark of an endnote, in the endnote. */
  noteMark: string;
}

export const createStory = (
  parts: DocumentParts,
  kind: DocxStory["kind"],
  relationships: Relationships,
  noteMark = "",
): DocxStory => ({ ...parts, kind, relationships, fields: new FieldStack(), noteMark });

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
  story,
  width,
  height,
  depth: 0,
  run: {},
  paragraph: {},
  background: undefined,
});
