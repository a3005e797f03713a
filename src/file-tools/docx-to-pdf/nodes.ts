/** The data of a document that the template lays out. Lengths are points. */

/** The style of a piece of text, without its paragraph's. */
export interface Look {
  font: string;
  size: number;
  bold: boolean;
  italics: boolean;
  color: string;
  background: string | null;
  underline: boolean;
  strike: boolean;
  vertical: "sup" | "sub" | null;
  /** Character spacing. */
  spacing: number;
}

/** A URL, or the name of a target that the document may have, or neither. */
export interface Hyperlink {
  link: string | null;
  target: string | null;
}

export interface TextItem extends Hyperlink {
  kind: "text";
  /** Index in the document's looks. */
  look: number;
  text: string;
  /** Whether it can break anywhere, since it is wider than its line. */
  splits: boolean;
}

/** Shares of the picture that are cropped at each side. A negative share adds blank space. */
export interface PictureFrame {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Degrees, clockwise. */
  rotation: number;
  "flips-across": boolean;
  "flips-down": boolean;
}

export interface PictureItem extends Hyperlink {
  kind: "picture";
  path: string;
  /** Size before rotation. */
  width: number;
  height: number;
  alt: string | null;
  frame: PictureFrame | null;
  /** Whether it stands in a line like a character. */
  "in-line": boolean;
}

export type Item =
  | TextItem
  | PictureItem
  | { kind: "break" }
  | { kind: "target"; name: string }
  | { kind: "page" | "pages"; look: number }
  | ({ kind: "page-of"; look: number } & Hyperlink)
  | { kind: "footnote"; look: number; items: Item[]; blocks: DocumentBlock[] };

export interface TabStop {
  /** Distance from the paragraph's left edge. */
  at: number;
  kind: "left" | "right" | "center";
  leader: string;
}

/** A part of a line. All but the first follow a tab with this look. */
export interface LinePart {
  look: number | null;
  items: Item[];
}

export interface ParagraphBlock {
  kind: "paragraph";
  items: Item[];
  /** Parts of each line in place of the items, in a paragraph with tabs. */
  lines: LinePart[][] | null;
  tabs: readonly TabStop[];
  /** Width of its lines. */
  width: number;
  /** Height of a blank paragraph. */
  height: number | null;
  size: number;
  /** Extent of a line above and below the baseline, in points if exact, or else in font sizes. */
  line: { top: number; bottom: number; "is-exact": boolean };
  align: "left" | "right" | "center" | "justify";
  above: number;
  below: number;
  left: number;
  right: number;
  /** Indentation of the first line from the others. */
  first: number;
  "right-to-left": boolean;
  /** Whether it stays on the page of the next block. */
  "is-sticky": boolean;
  fill: string | null;
  /** Colours of the rules above and below. */
  rules: { top: string | null; bottom: string | null };
  targets: string[];
  heading: { level: number; title: string } | null;
}

export type Border = { width: number; color: string } | null;

export interface TableCell {
  x: number;
  columns: number;
  rows: number;
  blocks: DocumentBlock[];
  fill: string | null;
  align: "top" | "center" | "bottom";
  left: Border;
  top: Border;
  right: Border;
  bottom: Border;
}

export interface TableBlock {
  kind: "table";
  left: number;
  /** Widths. */
  columns: number[];
  padding: { left: number; top: number; right: number; bottom: number };
  /** Number of leading rows that are repeated on each page. */
  headers: number;
  /** `height` is a minimum; 0 if unset. */
  rows: { y: number; height: number; cells: TableCell[] }[];
}

export type DocumentBlock = ParagraphBlock | TableBlock | { kind: "page-break" | "rule" };

/** Blocks by kind of page: default, first or even. */
export type PageParts = Record<string, DocumentBlock[]>;

export interface Section {
  name: string;
  width: number;
  height: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Distances of header and footer from the edge of the page. */
  "header-at": number;
  "footer-at": number;
  headers: PageParts;
  footers: PageParts;
  "has-first-page": boolean;
  /** Number of its first page. Null continues the numbers of the document. */
  start: number | null;
  blocks: DocumentBlock[];
}

export interface DocumentData {
  title: string;
  author: string;
  /** Time of the last change, in UTC. */
  date: Record<"year" | "month" | "day" | "hour" | "minute" | "second", number> | null;
  looks: Look[];
  /** Name of the font of characters that no font has. */
  placeholder: string;
  "has-even-pages": boolean;
  "max-pages": number;
  sections: Section[];
}
