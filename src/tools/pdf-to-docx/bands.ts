/** Rows that leave the same gaps free stand together in a band; its sides stand between the gaps. */
import { around, type Box, type Figure, type Line, median, overlap, type Table, widthOf } from "./model.js";

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

/** Of the size of the letters. */
const narrowestGap = 0.6;
/** Letters of a line from which on it reads like prose. */
export const proseLength = 25;

export const lettersOf = (atom: Atom): number =>
  atom.line?.runs.reduce((sum, { text }) => sum + text.length, 0) ?? 0;

export const rowOf = (atoms: Atom[]): Row => ({
  ...around(atoms),
  atoms,
  size: Math.max(...atoms.map(({ size }) => size)),
});

export function bandsOf(rows: readonly Row[]): Band[] {
  const bands: Band[] = [];
  for (const [index, row] of rows.entries()) {
    const band = bands.at(-1);
    const own = sidesOf([row]);
    const withRow = band ? sidesOf([...band.sides, row], row.size) : [];
    const next = rows[index + 1];
    const isBelow = band && band.sides.length > 1 && withRow.length > 1;
    const closesGap = withRow.length < (band?.sides.length ?? 0);
    if (isBelow && (!isFarBelow(band, row, closesGap) || (!closesGap && goesOn(band, rows, index)))) {
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

/** What stands below one side alone is the rest of a column where it is drawn as such, or reads so. */
function goesOn(band: Band, rows: readonly Row[], index: number): boolean {
  const row = rows[index] as Row;
  const side = sideOf(band, row);
  const end = rows.findIndex((other, at) => at > index && sideOf(band, other) !== side);
  const rest = rows.slice(index, end < 0 ? undefined : end);
  return side >= 0 && (isDrawnWithin(band, side, row) || isProseBelow(band, side, rest));
}

/** The only side that it stands in or below; -1 where that is none or several. */
function sideOf({ sides }: Band, box: Box): number {
  const covered = sides.flatMap(({ left, right }, index) =>
    overlap(left, right, box.left, box.right) > 0 ? [index] : [],
  );
  return covered.length === 1 ? (covered[0] as number) : -1;
}

/** Right after one of the side's own, and before another side is drawn. */
function isDrawnWithin(band: Band, side: number, { atoms }: Row): boolean {
  // Pictures are counted apart.
  const isText = ({ block }: Atom): boolean => block?.kind !== "figure";
  const drawn = band.rows.flatMap((row) => row.atoms.filter(isText)).sort((a, b) => a.order - b.order);
  const order = Math.min(...atoms.filter(isText).map((atom) => atom.order));
  const before = drawn.findLast((atom) => atom.order < order);
  const after = drawn.find((atom) => atom.order > order);
  return before !== undefined && after !== undefined && sideOf(band, before) === side;
}

/** Long lines that fill the side, not far below. */
function isProseBelow(band: Band, side: number, rest: readonly Row[]): boolean {
  const [first] = rest as [Row];
  const lines = rest.flatMap(({ atoms }) => atoms);
  const width = widthOf({ ...first, ...band.sides[side] });
  return (
    lines.length > 1 &&
    first.top - Math.max(...band.rows.map(({ bottom }) => bottom)) < 3 * first.size &&
    median(lines.map(lettersOf)) >= proseLength &&
    median(lines.map(widthOf)) >= 0.8 * width
  );
}
