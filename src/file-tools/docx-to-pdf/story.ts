/** The context in which text is read. A story is the body, a header, a footer or a note. */

import type { ConversionReport } from "../conversion-report.js";
import type { Relationships } from "./docx-package.js";
import { FieldStack } from "./fields.js";
import type { Fonts } from "./fonts.js";
import type { Images } from "./images.js";
import type { LinkTargets } from "./link-targets.js";
import type { Notes } from "./notes.js";
import type { Numbering } from "./numbering.js";
import type { ParagraphStyle } from "./paragraph-style.js";
import type { RunStyle } from "./run-style.js";
import type { Styles } from "./styles.js";

/** Parts of the document that all stories share. */
export interface DocumentParts {
  styles: Styles;
  numbering: Numbering;
  fonts: Fonts;
  images: Images;
  notes: Notes;
  /** Null in headers and footers, which are drawn on every page and cannot be link targets. */
  linkTargets: LinkTargets | null;
  /** Notes what is not drawn. */
  report: ConversionReport;
}

export interface DocxStory extends DocumentParts {
  relationships: Relationships;
  fields: FieldStack;
  /** Set in headers and footers. */
  pageNumbers: { page: number; pages: number } | null;
  /** The mark of the note, in a note. */
  noteMark: string;
}

export const createStory = (
  parts: DocumentParts,
  relationships: Relationships,
  pageNumbers: DocxStory["pageNumbers"] = null,
): DocxStory => ({ ...parts, relationships, pageNumbers, fields: new FieldStack(), noteMark: "" });

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
