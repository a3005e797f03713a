/** What reading needs to know of the part that is read: the body, a header, a footer, the notes. */
import type { Anchors } from "./anchors.js";
import { Fields } from "./fields.js";
import type { Fonts } from "./fonts.js";
import type { Images } from "./images.js";
import type { Notes } from "./notes.js";
import type { Numbering } from "./numbering.js";
import type { Relations } from "./package.js";
import type { ParagraphStyle } from "./paragraph-style.js";
import type { RunStyle } from "./run-style.js";
import type { Styles } from "./styles.js";

/** Shared by all stories of one document. */
export interface Sources {
  styles: Styles;
  numbering: Numbering;
  fonts: Fonts;
  images: Images;
  notes: Notes;
  /** Null where text is drawn on every page, and so can bear no place. */
  anchors: Anchors | null;
}

export interface Story extends Sources {
  relations: Relations;
  fields: Fields;
  /** Known where a header or footer is drawn. */
  pageNumbers: { page: number; pages: number } | null;
  /** The mark of the note that is read. */
  noteMark: string;
}

export const storyOf = (
  sources: Sources,
  relations: Relations,
  pageNumbers: Story["pageNumbers"] = null,
): Story => ({ ...sources, relations, pageNumbers, fields: new Fields(), noteMark: "" });

/** Where blocks stand: how much room there is, and what a table says of its text. */
export interface Place {
  story: Story;
  width: number;
  /** Of a page; nothing that cannot be parted may be higher. */
  height: number;
  /** Tables around it. */
  depth: number;
  run: RunStyle;
  paragraph: ParagraphStyle;
  background: string | undefined;
}

/** Where nothing is said yet: a page, a header, a note. */
export const placeOf = (story: Story, width: number, height: number): Place => ({
  story,
  width,
  height,
  depth: 0,
  run: {},
  paragraph: {},
  background: undefined,
});
