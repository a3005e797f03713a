/** Reading order: a band's sides are columns of prose or the columns of a table. */
import { type Band, bandsOf, type Row, rowOf } from "./bands.js";
import { around, type Block, type Box, type Column, overlap } from "./model.js";
import { paragraphsOf } from "./paragraphs.js";
import type { Vocabulary } from "./spans.js";
import { isTable, tableOf } from "./tables.js";

const deepest = 6;
export function arrange(
  rows: readonly Row[],
  column: Column,
  words: Vocabulary,
  rules: readonly Box[],
  depth = 0,
): Block[] {
  return bandsOf(rows).flatMap((band) => {
    if (band.sides.length < 2 || depth >= deepest) return paragraphsOf(band.rows, column, words);
    const parts = band.sides.map((side) => within(band.rows, side));
    if (isTable(band, parts)) return tableOf(band, parts, rules, words);
    if (!standBeside(parts)) return paragraphsOf(band.rows, column, words);
    const inOrder = readsFromRight(band) ? parts.reverse() : parts;
    return inOrder.flatMap((part) => arrange(part, columnOf(part), words, rules, depth + 1));
  });
}

/** Where a column's lines mostly begin, and how far they reach. */
export function columnOf(rows: readonly Row[]): Column {
  const atoms = rows.flatMap((row) => row.atoms).filter(({ line }) => line);
  const letters = new Map<number, number>();
  for (const { left, line } of atoms) {
    const place = Math.round(left / 2) * 2;
    letters.set(
      place,
      (letters.get(place) ?? 0) + (line?.runs ?? []).reduce((sum, { text }) => sum + text.length, 0),
    );
  }
  const most = Math.max(...letters.values());
  // Second columns and lists begin elsewhere; few lines that do are headers and captions.
  const usual = [...letters].flatMap(([place, count]) => (count >= 0.15 * most ? place : []));
  const body = atoms.filter(({ left }) => usual.some((place) => Math.abs(left - place) <= 2));
  const box = around(body.length > 0 ? body : rows);
  return { left: box.left, right: box.right };
}

function within(rows: readonly Row[], side: { left: number; right: number }): Row[] {
  return rows.flatMap((row) => {
    const atoms = row.atoms.filter((atom) => overlap(atom.left, atom.right, side.left, side.right) > 0);
    return atoms.length > 0 ? [rowOf(atoms)] : [];
  });
}

/** Columns stand beside each other; a line at the left and one at the right below it do not. */
function standBeside(parts: readonly Row[][]): boolean {
  const boxes = parts.map((part) => around(part));
  return (
    boxes.every((box, index) => {
      const other = boxes[index === 0 ? 1 : index - 1] as Box;
      const shared = overlap(box.top, box.bottom, other.top, other.bottom);
      return shared > 0.3 * Math.min(box.bottom - box.top, other.bottom - other.top);
    }) &&
    (parts.every((part) => part.length > 1) ||
      parts.some((part) => part.some((row) => row.atoms.some(({ block }) => block))))
  );
}

function readsFromRight({ rows }: Band): boolean {
  const lines = rows.flatMap((row) => row.atoms.flatMap(({ line }) => line ?? []));
  return lines.filter(({ rightToLeft }) => rightToLeft).length * 2 > lines.length;
}
