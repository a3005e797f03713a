/** Puts rows into reading order. The sides of a band are text columns or the columns of a table without lines. */
import { type Band, createRow, groupIntoBands, type TextRow } from "./bands.js";
import { type Block, type Box, boundingBox, type Column, overlap } from "./page-model.js";
import { toParagraphs } from "./paragraphs.js";
import type { Vocabulary } from "./spans.js";
import { createUnruledTable, isUnruledTable } from "./unruled-tables.js";

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
  // Ignores rare starts, which belong to headers and captions, but keeps those of second columns and lists.
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

/** Returns whether the parts overlap vertically, as columns do and a line on the left above one on the right does not. */
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
