/**
 * Reading order: rows that leave the same gaps free stand together in a band, and a band's sides are columns of prose or
 * the columns of a table.
 */
import {
  around,
  type Block,
  type Box,
  type Figure,
  type Line,
  median,
  overlap,
  type Table,
} from "./model.js";
import { type Column, paragraphsOf, type Vocabulary } from "./paragraphs.js";
import { isTable, tableOf } from "./tables.js";

/** What stands on a page: a line, or a block that is finished. */
export interface Atom extends Box {
  size: number;
  order: number;
  line: Line | null;
  block: Table | Figure | null;
}

export interface Row extends Box {
  atoms: Atom[];
  size: number;
}

export interface Band {
  rows: Row[];
  /** From left to right; more than one where gaps part them. */
  sides: { left: number; right: number }[];
}

const deepest = 6;
/** Of the size of the letters. */
const narrowestGap = 0.6;

export const rowOf = (atoms: Atom[]): Row => ({
  ...around(atoms),
  atoms,
  size: Math.max(...atoms.map(({ size }) => size)),
});

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

function bandsOf(rows: readonly Row[]): Band[] {
  const bands: Band[] = [];
  for (const [index, row] of rows.entries()) {
    const band = bands.at(-1);
    const own = sidesOf([row]);
    const withRow = band ? sidesOf([...band.sides, row], row.size) : [];
    const next = rows[index + 1];
    if (
      band &&
      band.sides.length > 1 &&
      withRow.length > 1 &&
      !isFarBelow(band, row, withRow.length < band.sides.length)
    ) {
      band.rows.push(row);
      band.sides = withRow;
    } else if (band && band.sides.length === 1 && !(next && startsSides(row, next))) {
      band.rows.push(row);
      band.sides = [around([...band.rows])];
    } else bands.push({ rows: [row], sides: next && startsSides(row, next) ? own : [around([row])] });
  }
  return bands;
}

/** Stretches that something stands in; the gaps between them are free in every row. */
function sidesOf(
  boxes: readonly (Row | { left: number; right: number })[],
  size?: number,
): { left: number; right: number }[] {
  const stretches = boxes.flatMap((box) => ("atoms" in box ? box.atoms : [box]));
  const least = narrowestGap * (size ?? Math.max(...boxes.map((box) => ("size" in box ? box.size : 0))));
  const sides: { left: number; right: number }[] = [];
  for (const { left, right } of stretches.sort((a, b) => a.left - b.left)) {
    const last = sides.at(-1);
    if (last && left - last.right < least) last.right = Math.max(last.right, right);
    else sides.push({ left, right });
  }
  return sides;
}

/** Two rows share a gap that parts the first, or stand side by side at different heights. */
function startsSides(row: Row, next: Row): boolean {
  const both = sidesOf([row, next]);
  if (both.length < 2) return false;
  if (row.atoms.length > 1) return next.top - row.bottom < 2.5 * row.size;
  return overlap(row.top, row.bottom, next.top, next.bottom) > 0.2 * Math.min(row.size, next.size);
}

/** After a wider gap than the band's own, a lone line or one that closes a gap begins something new. */
function isFarBelow(band: Band, row: Row, closesGap: boolean): boolean {
  const gaps = band.rows.slice(1).map((other, index) => other.top - (band.rows[index] as Row).bottom);
  const gap = row.top - Math.max(...band.rows.map(({ bottom }) => bottom));
  const usual = Math.max(0, median(gaps));
  if (closesGap) return gap > Math.max(0.4 * row.size, 1.5 * usual);
  return (
    gap > (row.atoms.length > 1 ? Math.max(3 * row.size, 3 * usual) : Math.max(0.9 * row.size, 1.6 * usual))
  );
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
