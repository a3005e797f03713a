/** The context in which text is read. A story is the body, a header, a footer or a note. */

import type { ConversionReport } from "../engine.js";
import type { Relationships } from "./docx-package.js";
import { FieldStack } from "./fields.js";
import type { Images } from "./images.js";
import type { LinkTargets } from "./link-targets.js";
import type { DocumentBlock } from "./nodes.js";
import type { Notes } from "./notes.js";
import type { Numbering } from "./numbering.js";
import type { ParagraphStyle } from "./paragraph-style.js";
import type { RunStyle } from "./run-style.js";
import type { Styles } from "./styles.js";
import type { TextItems } from "./text-items.js";
import type { XmlElement } from "./xml.js";

/** Parts of the document that all stories share. */
export interface DocumentParts {
  styles: Styles;
  numbering: Numbering;
  texts: TextItems;
  images: Images;
  notes: Notes;
  /** Null in what is drawn on several pages and cannot be a link target. */
  linkTargets: LinkTargets | null;
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
