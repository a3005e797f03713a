/** Puts rows into reading order. The sides of a band are text columns or the columns of a table without lines. */
import { median } from "../median.js";
import {
  type Band,
  createRow,
  groupIntoBands,
  letterCount,
  minProseLetters,
  type RowItem,
  type TextRow,
} from "./bands.js";
import type { Vocabulary } from "./lines.js";
import {
  type Block,
  type Box,
  boundingBox,
  type Cell,
  type Column,
  overlap,
  type PageTable,
  widthOf,
} from "./page-model.js";
import { toParagraphs } from "./paragraphs.js";

/** Word's default cell padding, in points. */
const maxPadding = 5.4;

/**
 * Returns whether a band is a table without lines. Tables are drawn row by row or have short cells; prose is drawn
 * column by column or fills its columns.
 */
function isUnruledTable(band: Band, parts: readonly TextRow[][]): boolean {
  const shared = band.rows.filter((row) => row.items.length > 1).length;
  const items = band.rows.flatMap((row) => row.items);
  if (shared < 2 || items.some(({ block }) => block?.kind === "table")) return false;
  const changes = countSideChanges(band);
  const prose = parts.filter(isProse);
  if (changes <= 2 * (band.sides.length - 1))
    return prose.length < parts.length && shared >= 0.8 * band.rows.length;
  // Even beside a figure, which is drawn in any order, the lines of a column are drawn consecutively.
  if (prose.length > 0 && changes <= 0.6 * shared && prose.some((part) => part.length >= 6)) return false;
  const isReadAcross = changes >= 0.9 * (2 * shared - 1);
  return !(prose.length === parts.length && shared >= 6 && isReadAcross);
}

/** Returns whether most lines are long and fill their side. */
const isProse = (part: readonly TextRow[]): boolean =>
  median(part.flatMap((row) => row.items.map(letterCount))) >= minProseLetters && fillShare(part) >= 0.8;

/** Returns the median share of the side's width that its lines fill. */
function fillShare(part: readonly TextRow[]): number {
  const width = widthOf(boundingBox(part));
  return median(part.map((row) => widthOf(row) / width));
}

function createUnruledTable(
  band: Band,
  parts: readonly TextRow[][],
  rules: readonly Box[],
  words: Vocabulary,
): Block[] {
  const columns = band.sides.map((side, index) => ({
    ...side,
    align: columnAlignment(parts[index] ?? [], side),
  }));
  const gaps = columns.slice(1).map(({ left }, index) => left - (columns[index]?.right ?? left));
  const padding = Math.min(maxPadding, ...gaps.map((gap) => gap / 2));
  const edges = columnEdges(columns, padding);
  const isDrawnByColumns =
    countSideChanges(band) < 2 * band.rows.length - 1 && parts.length === countSideChanges(band) + 1;
  const groups: TextRow[][] = [];
  for (const row of band.rows) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    if (
      group &&
      previous &&
      !hasRuleBetween(rules, previous, row) &&
      continuesRow(band, previous, row, isDrawnByColumns)
    )
      group.push(row);
    else groups.push([row]);
  }
  const box = boundingBox(band.rows);
  const table: PageTable = {
    kind: "table",
    box,
    widths: edges.slice(1).map((edge, index) => edge - (edges[index] as number)),
    rows: groups.map((rows) => columns.map((column) => createCell(rows, column, words))),
    ruled: false,
    padding,
    order: Math.min(...band.rows.flatMap((row) => row.items.map(({ order }) => order))),
  };
  return [table];
}

interface TableColumn {
  left: number;
  right: number;
  align: "left" | "center" | "right";
}

/** Tests whether a box is aligned in a column. The widest box is aligned in every way. */
const isAligned = {
  left: (box: Box, { left }: Column): boolean => box.left - left < 2,
  center: (box: Box, { left, right }: Column): boolean => Math.abs(box.left + box.right - left - right) < 4,
  right: (box: Box, { right }: Column): boolean => right - box.right < 2,
};

/** Returns the alignment of most lines. */
function columnAlignment(part: readonly TextRow[], side: Column): TableColumn["align"] {
  const items = part.flatMap((row) => row.items);
  const count = (align: TableColumn["align"]): number =>
    items.filter((item) => isAligned[align](item, side)).length;
  return (["left", "right", "center"] as const).reduce((most, align) =>
    count(align) > count(most) ? align : most,
  );
}

/** Returns the column boundaries: at the padding beside aligned text, or else in the middle of the gap. */
function columnEdges(columns: readonly TableColumn[], padding: number): number[] {
  const between = columns.slice(1).map((column, index) => {
    const before = columns[index] as TableColumn;
    if (column.align === "left") return column.left - padding;
    return before.align === "right" ? before.right + padding : (before.right + column.left) / 2;
  });
  const [first, last] = [columns[0] as TableColumn, columns.at(-1) as TableColumn];
  return [first.left - padding, ...between, last.right + padding];
}

/** Returns how often the drawing order moves from one side to another. */
function countSideChanges(band: Band): number {
  const sides = band.rows
    .flatMap((row) => row.items)
    .sort((a, b) => a.order - b.order)
    .map((item) =>
      band.sides.findIndex(({ left, right }) => item.left >= left - 1 && item.right <= right + 1),
    );
  return sides.filter((side, index) => index > 0 && side !== sides[index - 1]).length;
}

const hasRuleBetween = (rules: readonly Box[], above: TextRow, below: TextRow): boolean =>
  rules.some(
    (rule) =>
      rule.top > above.bottom - above.size * 0.4 &&
      rule.bottom < below.top + below.size * 0.6 &&
      rule.left < below.right &&
      rule.right > below.left,
  );

/** Returns whether a row of text continues the table row above: close to it and without a new first cell. */
function continuesRow(band: Band, above: TextRow, below: TextRow, isDrawnByColumns: boolean): boolean {
  if (below.top - above.bottom > 0.6 * below.size) return false;
  const first = band.sides[0];
  const beginsRow = below.items.some((item) => first && item.left < first.right && item.right > first.left);
  if (!beginsRow) return below.items.length < band.sides.length;
  if (isDrawnByColumns) return false;
  const order = band.rows
    .flatMap((row) => row.items)
    .map((item) => item.order)
    .sort((a, b) => a - b);
  const rank = (item: RowItem): number => order.indexOf(item.order);
  return below.items.some((item) =>
    above.items.some(
      (other) => rank(other) + 1 === rank(item) && other.left < item.right && other.right > item.left,
    ),
  );
}

function createCell(rows: readonly TextRow[], column: TableColumn, words: Vocabulary): Cell {
  const lines = rows.flatMap((row) => {
    const items = row.items.filter((item) => item.left >= column.left - 1 && item.right <= column.right + 1);
    return items.length > 0 ? [{ ...boundingBox(items), items, size: row.size }] : [];
  });
  const side = { left: column.left, right: column.right };
  const blocks = lines.length > 0 ? toParagraphs(lines, side, words) : [];
  for (const block of blocks)
    if (block.kind === "paragraph" && block.align !== "both" && isAligned[column.align](block.box, side))
      block.align = column.align;
  return { blocks, columnSpan: 1, rowSpan: 1 };
}

/** Maximum nesting of columns. */
const maxDepth = 6;

export function toReadingOrder(
  rows: readonly TextRow[],
  column: Column,
  words: Vocabulary,
  rules: readonly Box[],
  depth = 0,
): Block[] {
  return groupIntoBands(rows).flatMap((band) => {
    if (band.sides.length < 2 || depth >= maxDepth) return toParagraphs(band.rows, column, words);
    const parts = band.sides.map((side) => rowsWithin(band.rows, side));
    if (isUnruledTable(band, parts)) return createUnruledTable(band, parts, rules, words);
    if (!areSideBySide(parts)) return toParagraphs(band.rows, column, words);
    const inOrder = isRightToLeft(band) ? parts.reverse() : parts;
    return inOrder.flatMap((part) => toReadingOrder(part, measureColumn(part), words, rules, depth + 1));
  });
}

/** Returns where most lines of a column start, and how far they extend. */
export function measureColumn(rows: readonly TextRow[]): Column {
  const items = rows.flatMap((row) => row.items).filter(({ line }) => line);
  const letters = new Map<number, number>();
  for (const { left, line } of items) {
    const start = Math.round(left / 2) * 2;
    letters.set(
      start,
      (letters.get(start) ?? 0) + (line?.runs ?? []).reduce((sum, { text }) => sum + text.length, 0),
    );
  }
  const most = Math.max(...letters.values());
  // Ignores rare starts, which belong to headers and captions, but keeps the starts of second columns and lists.
  const starts = [...letters].flatMap(([start, count]) => (count >= 0.15 * most ? start : []));
  const body = items.filter(({ left }) => starts.some((start) => Math.abs(left - start) <= 2));
  const box = boundingBox(body.length > 0 ? body : rows);
  return { left: box.left, right: box.right };
}

function rowsWithin(rows: readonly TextRow[], side: { left: number; right: number }): TextRow[] {
  return rows.flatMap((row) => {
    const items = row.items.filter((item) => overlap(item.left, item.right, side.left, side.right) > 0);
    return items.length > 0 ? [createRow(items)] : [];
  });
}

/** Returns whether the parts overlap vertically, as columns do, unlike a line on the left above a line on the right. */
function areSideBySide(parts: readonly TextRow[][]): boolean {
  const boxes = parts.map((part) => boundingBox(part));
  return (
    boxes.every((box, index) => {
      const other = boxes[index === 0 ? 1 : index - 1] as Box;
      const shared = overlap(box.top, box.bottom, other.top, other.bottom);
      return shared > 0.3 * Math.min(box.bottom - box.top, other.bottom - other.top);
    }) &&
    (parts.every((part) => part.length > 1) ||
      parts.some((part) => part.some((row) => row.items.some(({ block }) => block))))
  );
}

function isRightToLeft({ rows }: Band): boolean {
  const lines = rows.flatMap((row) => row.items.flatMap(({ line }) => line ?? []));
  return lines.filter(({ rightToLeft }) => rightToLeft).length * 2 > lines.length;
}
