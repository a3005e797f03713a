/** What goes from stage to stage. Lengths are points, measured from the page's top left corner: y grows downwards. */

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

export interface Face {
  family: string;
  /** As in CSS: 400 is regular, 700 bold. */
  weight: number;
  italic: boolean;
}

/** Text of one look that stands on one baseline. `order` is its place among what the page draws. */
export interface Run extends Box {
  text: string;
  baseline: number;
  size: number;
  face: Face;
  order: number;
  rightToLeft: boolean;
  /** White space stands before it. */
  spaced: boolean;
  /** Drawn without being seen. */
  invisible: boolean;
  link: string | null;
}

export interface Picture extends Box {
  data: Uint8Array;
  type: "png" | "jpg";
  description: string;
  order: number;
  /** Text lies upon it. */
  behind: boolean;
}

/** What is drawn of lines: rules along an axis, and the small filled shapes that may be a list's bullets. */
export interface Drawing {
  horizontal: Box[];
  vertical: Box[];
  dots: Box[];
}

export interface Page {
  width: number;
  height: number;
  runs: Run[];
  /** Text that a picture shows. */
  hidden: Run[];
  pictures: Picture[];
  drawing: Drawing;
}

/** Runs beside each other, in reading order. */
export interface Line extends Box {
  runs: Run[];
  baseline: number;
  size: number;
  order: number;
  rightToLeft: boolean;
}

export interface Span {
  text: string;
  face: Face;
  size: number;
  raised: "super" | "sub" | null;
  rightToLeft: boolean;
  link: string | null;
}

export interface Marker {
  kind: "bullet" | "decimal" | "lowerLetter" | "upperLetter" | "lowerRoman" | "upperRoman";
  /** As Word writes it: `%1.` stands for the number. */
  pattern: string;
  value: number;
}

export interface Paragraph {
  kind: "paragraph";
  spans: Span[];
  box: Box;
  size: number;
  lines: number;
  /** Of the column that it stands in. */
  column: Column;
  align: "left" | "center" | "right" | "both";
  rightToLeft: boolean;
  firstLine: number;
  /** Baseline to baseline. */
  leading: number;
  heading: 1 | 2 | 3 | null;
  list: { id: number; level: number } | null;
}

export interface Cell {
  blocks: Block[];
  columnSpan: number;
  rowSpan: number;
}

export interface Table {
  kind: "table";
  box: Box;
  widths: number[];
  rows: Cell[][];
  ruled: boolean;
  /** Free beside the text of its cells. */
  padding: number;
  order: number;
}

export interface Figure {
  kind: "figure";
  picture: Picture;
  box: Box;
}

export type Block = Paragraph | Table | Figure;

export const widthOf = (box: Box): number => box.right - box.left;
export const heightOf = (box: Box): number => box.bottom - box.top;
export const centreOf = (box: Box): { x: number; y: number } => ({
  x: (box.left + box.right) / 2,
  y: (box.top + box.bottom) / 2,
});

export function around(boxes: readonly Box[]): Box {
  const all = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const box of boxes) {
    all.left = Math.min(all.left, box.left);
    all.top = Math.min(all.top, box.top);
    all.right = Math.max(all.right, box.right);
    all.bottom = Math.max(all.bottom, box.bottom);
  }
  return all;
}

/** Whether the middle of one lies within the other. */
export function holds(outer: Box, inner: Box, slack = 0): boolean {
  const { x, y } = centreOf(inner);
  const isBeside = x < outer.left - slack || x > outer.right + slack;
  return !isBeside && y >= outer.top - slack && y <= outer.bottom + slack;
}

/** How far two stretches cover each other. */
export const overlap = (a: number, b: number, c: number, d: number): number =>
  Math.min(b, d) - Math.max(a, c);

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
