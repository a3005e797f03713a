/** What the document is turned into: pdfmake's nodes, with what our lines know beside. Lengths are points. */

export interface TabStop {
  /** From the paragraph's left edge. */
  at: number;
  kind: "left" | "right" | "center";
  leader: string;
}

export interface Inline {
  text: string;
  font: string;
  fontSize: number;
  bold: boolean;
  italics: boolean;
  color: string;
  background?: string;
  decoration?: ("underline" | "lineThrough")[];
  sup?: boolean;
  sub?: boolean;
  characterSpacing?: number;
  link?: string;
  linkToDestination?: string;
  pageReference?: string;
  /** Of a page number in the room that was kept for it. */
  alignment?: "right";
  /** Points, as times of the font's own. */
  lineHeight?: number;
  noWrap?: boolean;
  /** Stands for a tab; its width comes from the stops. */
  tab?: boolean;
  /** Stands on the baseline in place of the text. */
  picture?: ImageNode;
}

export interface TextNode {
  text: Inline[];
  margin: Margin;
  alignment?: "left" | "right" | "center" | "justify";
  lineHeight?: number;
  pageBreak?: "before";
  id?: string;
  /** In the reader's list of headings. */
  outline?: boolean;
  outlineText?: string;
  outlineParentId?: string;
  /** Of the first line, from the left edge of the others. */
  firstIndent?: number;
  tabs?: TabStop[];
  rightToLeft?: boolean;
}

/** Left, top, right, bottom. */
export type Margin = [number, number, number, number];

export interface ImageNode {
  image: string;
  width: number;
  height: number;
  alignment?: string;
  margin?: Margin;
  link?: string;
  /** Where not all of the picture is shown as it is. */
  frame?: Frame;
  pageBreak?: "before";
}

/** Shares of the whole picture that are cut off at each side; below zero, blank is added. */
export interface Crop {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Frame {
  crop: Crop;
  /** Degrees, clockwise. */
  turn: number;
  flipsAcross: boolean;
  flipsDown: boolean;
  /** Its sizes before it is turned, as shares of the room that it takes. */
  share: Size;
}

export interface Size {
  width: number;
  height: number;
}

export interface Cell {
  stack: Node[];
  colSpan?: number;
  rowSpan?: number;
  fillColor?: string;
  border?: [boolean, boolean, boolean, boolean];
  borderColor?: [string, string, string, string];
  verticalAlignment?: "middle" | "bottom";
}

export interface TableNode {
  table: {
    widths: number[];
    headerRows: number;
    body: (Cell | Record<string, never>)[][];
    heights: (number | "auto")[];
    dontBreakRows: boolean;
  };
  layout: object;
  margin?: Margin;
  pageBreak?: "before";
}

export interface StackNode {
  stack: Node[];
  margin?: Margin;
  pageBreak?: "before";
}

export interface ColumnsNode {
  columns: ImageNode[];
  margin?: Margin;
  pageBreak?: "before";
}

export interface RuleNode {
  canvas: object[];
  margin?: Margin;
  pageBreak?: "before";
}

export type Node = TextNode | ImageNode | TableNode | StackNode | ColumnsNode | RuleNode;
