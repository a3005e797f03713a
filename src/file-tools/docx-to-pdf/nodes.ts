/** Node types of pdfmake, extended by the properties of our line layout. Lengths are points. */

export interface TabStop {
  /** Distance from the paragraph's left edge. */
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
  /** Alignment of a page number in the room reserved for it. */
  alignment?: "right";
  /** Factor of the font's own line height. */
  lineHeight?: number;
  noWrap?: boolean;
  /** A tab, whose width depends on the tab stops. */
  tab?: boolean;
  /** A picture on the baseline, in place of the text. */
  picture?: ImageNode;
}

export interface TextNode {
  text: Inline[];
  margin: Margin;
  alignment?: "left" | "right" | "center" | "justify";
  lineHeight?: number;
  pageBreak?: "before";
  id?: string;
  /** Whether the PDF's outline lists it. */
  outline?: boolean;
  outlineText?: string;
  outlineParentId?: string;
  /** Indentation of the first line from the others. */
  firstIndent?: number;
  tabs?: TabStop[];
  rightToLeft?: boolean;
}

export type Margin = [left: number, top: number, right: number, bottom: number];

export interface ImageNode {
  image: string;
  width: number;
  height: number;
  alignment?: string;
  margin?: Margin;
  link?: string;
  /** Set for a cropped, rotated or flipped picture. */
  frame?: PictureFrame;
  pageBreak?: "before";
}

/** Shares of the picture that are cropped at each side. A negative share adds blank space. */
export interface Crop {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface PictureFrame {
  crop: Crop;
  /** Degrees, clockwise. */
  rotation: number;
  flipsAcross: boolean;
  flipsDown: boolean;
  /** Size before rotation, as shares of the size after rotation. */
  share: Size;
}

export interface Size {
  width: number;
  height: number;
}

export interface TableCellNode {
  stack: PdfNode[];
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
    body: (TableCellNode | Record<string, never>)[][];
    heights: (number | "auto")[];
    dontBreakRows: boolean;
  };
  layout: object;
  margin?: Margin;
  pageBreak?: "before";
}

export interface StackNode {
  stack: PdfNode[];
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

export type PdfNode = TextNode | ImageNode | TableNode | StackNode | ColumnsNode | RuleNode;
