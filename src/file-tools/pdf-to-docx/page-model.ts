/**
 * Types shared by the stages of the conversion, and affine transforms. Lengths are points from the top left corner of
 * the page.
 */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Column {
  left: number;
  right: number;
}

export interface FontFace {
  family: string;
  bold: boolean;
  italic: boolean;
}

/** Result of a scan with recognised text. `picture`: its picture, with hidden text. `text`: the text alone. */
export type ScanForm = "picture" | "text";

/** Text in one style on one baseline. `order` is its position in the drawing order of the page. */
export interface TextRun extends Box {
  text: string;
  baseline: number;
  size: number;
  face: FontFace;
  order: number;
  rightToLeft: boolean;
  hasSpaceBefore: boolean;
  /** Whether it is drawn in the invisible rendering mode. */
  invisible: boolean;
  link: string | null;
}

export interface PagePicture extends Box {
  data: Uint8Array;
  type: "png" | "jpg";
  description: string;
  order: number;
  isBehindText: boolean;
}

/** Drawn lines along an axis, and small shapes that may be bullets. */
export interface LineArt {
  horizontal: Box[];
  vertical: Box[];
  dots: Box[];
}

export interface PageContent {
  width: number;
  height: number;
  runs: TextRun[];
  /** Invisible text over pictures that show it, such as a scan's recognised text. */
  hiddenRuns: TextRun[];
  pictures: PagePicture[];
  lineArt: LineArt;
}

/** A line of adjacent runs in reading order. */
export interface Line extends Box {
  runs: TextRun[];
  baseline: number;
  size: number;
  order: number;
  rightToLeft: boolean;
}

export interface Span {
  text: string;
  face: FontFace;
  size: number;
  raised: "super" | "sub" | null;
  rightToLeft: boolean;
  link: string | null;
}

export interface Marker {
  kind: "bullet" | "decimal" | "lowerLetter" | "upperLetter" | "lowerRoman" | "upperRoman";
  /** Word's pattern of the label. `%1` is the number. */
  pattern: string;
  value: number;
}

export interface Paragraph {
  kind: "paragraph";
  spans: Span[];
  box: Box;
  size: number;
  lines: number;
  /** Column that contains the paragraph. */
  column: Column;
  align: "left" | "center" | "right" | "both";
  rightToLeft: boolean;
  /** First-line indent, negative for a hanging one. */
  firstLine: number;
  /** Distance between baselines; 0 for a single line. */
  leading: number;
  heading: 1 | 2 | 3 | null;
  list: { id: number; level: number } | null;
}

export interface Cell {
  blocks: Block[];
  columnSpan: number;
  rowSpan: number;
}

export interface PageTable {
  kind: "table";
  box: Box;
  widths: number[];
  rows: Cell[][];
  ruled: boolean;
  /** Horizontal padding of its cells. */
  padding: number;
  order: number;
}

export interface Figure {
  kind: "figure";
  picture: PagePicture;
  box: Box;
}

export type Block = Paragraph | PageTable | Figure;

export const widthOf = (box: Box): number => box.right - box.left;
export const heightOf = (box: Box): number => box.bottom - box.top;
export const centreOf = (box: Box): { x: number; y: number } => ({
  x: (box.left + box.right) / 2,
  y: (box.top + box.bottom) / 2,
});

export function boundingBox(boxes: readonly Box[]): Box {
  const all = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const box of boxes) {
    all.left = Math.min(all.left, box.left);
    all.top = Math.min(all.top, box.top);
    all.right = Math.max(all.right, box.right);
    all.bottom = Math.max(all.bottom, box.bottom);
  }
  return all;
}

/** Returns whether the centre of `inner` lies within `outer`. */
export function containsCentre(outer: Box, inner: Box, slack = 0): boolean {
  const { x, y } = centreOf(inner);
  const isBeside = x < outer.left - slack || x > outer.right + slack;
  return !isBeside && y >= outer.top - slack && y <= outer.bottom + slack;
}

/** Returns the overlap of the intervals a to b and c to d, negative if there is a gap. */
export const overlap = (a: number, b: number, c: number, d: number): number =>
  Math.min(b, d) - Math.max(a, c);

export type Matrix = readonly [number, number, number, number, number, number];

/** Returns the product of two transforms, which applies `n` first, then `m`. */
export const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
];

export const transformPoint = (m: Matrix, x: number, y: number): readonly [number, number] => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
];

/** Returns the bounding box of a transformed rectangle. */
export function transformBox(m: Matrix, left: number, top: number, right: number, bottom: number): Box {
  const corners = [
    transformPoint(m, left, top),
    transformPoint(m, right, top),
    transformPoint(m, left, bottom),
    transformPoint(m, right, bottom),
  ];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Parses a transform. Returns null unless the value is six finite numbers. */
export function parseMatrix(value: unknown): Matrix | null {
  const numbers =
    Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>) : [];
  return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as unknown as Matrix) : null;
}
