/**
 * Groups the rows of a page into bands. A band is a run of rows that share the same vertical gaps; the stretches
 * between the gaps, which may become text columns or table columns, are its sides.
 */
import { median } from "../median.js";
import {
  type Box,
  boundingBox,
  type Figure,
  type Line,
  overlap,
  type PageTable,
  widthOf,
} from "./page-model.js";

/** An item of a row: a line of text or a finished block. */
export interface RowItem extends Box {
  size: number;
  order: number;
  line: Line | null;
  block: PageTable | Figure | null;
}

export interface TextRow extends Box {
  items: RowItem[];
  size: number;
}

export interface Band {
  rows: TextRow[];
  /** Sides from left to right. */
  sides: { left: number; right: number }[];
}

/** Minimum width of a gap, as a ratio of the font size. */
const minGapRatio = 0.6;
/** Number of letters from which a line counts as prose. */
export const minProseLetters = 25;

export const letterCount = (item: RowItem): number =>
  item.line?.runs.reduce((sum, { text }) => sum + text.length, 0) ?? 0;

export const createRow = (items: RowItem[]): TextRow => ({
  ...boundingBox(items),
  items,
  size: Math.max(...items.map(({ size }) => size)),
});

export function groupIntoBands(rows: readonly TextRow[]): Band[] {
  const bands: Band[] = [];
  for (const [index, row] of rows.entries()) {
    const band = bands.at(-1);
    const own = findSides([row]);
    const withRow = band ? findSides([...band.sides, row], row.size) : [];
    const next = rows[index + 1];
    const isBelow = band && band.sides.length > 1 && withRow.length > 1;
    const closesGap = withRow.length < (band?.sides.length ?? 0);
    if (isBelow && (!isFarBelow(band, row, closesGap) || (!closesGap && continuesSide(band, rows, index)))) {
      band.rows.push(row);
      band.sides = withRow;
    } else if (band && band.sides.length === 1 && !(next && startsColumns(row, next))) {
      band.rows.push(row);
      band.sides = [boundingBox([...band.rows])];
    } else bands.push({ rows: [row], sides: next && startsColumns(row, next) ? own : [boundingBox([row])] });
  }
  return bands;
}

/** Returns the horizontal stretches covered by any of the boxes. */
function findSides(
  boxes: readonly (TextRow | { left: number; right: number })[],
  size?: number,
): { left: number; right: number }[] {
  const stretches = boxes.flatMap((box) => ("items" in box ? box.items : [box]));
  const minGap = minGapRatio * (size ?? Math.max(...boxes.map((box) => ("size" in box ? box.size : 0))));
  const sides: { left: number; right: number }[] = [];
  for (const { left, right } of stretches.sort((a, b) => a.left - b.left)) {
    const last = sides.at(-1);
    if (last && left - last.right < minGap) last.right = Math.max(last.right, right);
    else sides.push({ left, right });
  }
  return sides;
}

/** Returns whether two rows share a gap that splits the first, or are side by side at different heights. */
function startsColumns(row: TextRow, next: TextRow): boolean {
  const both = findSides([row, next]);
  if (both.length < 2) return false;
  if (row.items.length > 1) return next.top - row.bottom < 2.5 * row.size;
  return overlap(row.top, row.bottom, next.top, next.bottom) > 0.2 * Math.min(row.size, next.size);
}

/** Returns whether the vertical gap before a row is too large for the row to belong to the band. */
function isFarBelow(band: Band, row: TextRow, closesGap: boolean): boolean {
  const gaps = band.rows.slice(1).map((other, index) => other.top - (band.rows[index] as TextRow).bottom);
  const gap = row.top - Math.max(...band.rows.map(({ bottom }) => bottom));
  const usual = Math.max(0, median(gaps));
  if (closesGap) return gap > Math.max(0.4 * row.size, 1.5 * usual);
  return (
    gap > (row.items.length > 1 ? Math.max(3 * row.size, 3 * usual) : Math.max(0.9 * row.size, 1.6 * usual))
  );
}

/** Returns whether rows below only one side continue that column, judged by drawing order or by their text. */
function continuesSide(band: Band, rows: readonly TextRow[], index: number): boolean {
  const row = rows[index] as TextRow;
  const side = sideOf(band, row);
  const end = rows.findIndex((other, at) => at > index && sideOf(band, other) !== side);
  const rest = rows.slice(index, end < 0 ? undefined : end);
  return side >= 0 && (isDrawnWithin(band, side, row) || isProseBelow(band, side, rest));
}

/** Returns the index of the only side that a box overlaps horizontally, or -1 for none or several. */
function sideOf({ sides }: Band, box: Box): number {
  const covered = sides.flatMap(({ left, right }, index) =>
    overlap(left, right, box.left, box.right) > 0 ? [index] : [],
  );
  return covered.length === 1 ? (covered[0] as number) : -1;
}

/** Returns whether a row is drawn right after an item of its side and before another item of the band. */
function isDrawnWithin(band: Band, side: number, { items }: TextRow): boolean {
  // The drawing order of pictures is separate.
  const isText = ({ block }: RowItem): boolean => block?.kind !== "figure";
  const drawn = band.rows.flatMap((row) => row.items.filter(isText)).sort((a, b) => a.order - b.order);
  const order = Math.min(...items.filter(isText).map((item) => item.order));
  const before = drawn.findLast((item) => item.order < order);
  const after = drawn.find((item) => item.order > order);
  return before !== undefined && after !== undefined && sideOf(band, before) === side;
}

/** Returns whether the rows are long lines that fill the side, at a small distance below the band. */
function isProseBelow(band: Band, side: number, rest: readonly TextRow[]): boolean {
  const [first] = rest as [TextRow];
  const lines = rest.flatMap(({ items }) => items);
  const width = widthOf({ ...first, ...band.sides[side] });
  return (
    lines.length > 1 &&
    first.top - Math.max(...band.rows.map(({ bottom }) => bottom)) < 3 * first.size &&
    median(lines.map(letterCount)) >= minProseLetters &&
    median(lines.map(widthOf)) >= 0.8 * width
  );
}
