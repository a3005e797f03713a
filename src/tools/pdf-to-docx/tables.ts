/** Tables without lines: sides whose rows stand on the same baselines, and that are no columns of prose. */
import { type Atom, type Band, lettersOf, proseLength, type Row } from "./bands.js";
import { around, type Block, type Box, type Cell, median, type Table, widthOf } from "./model.js";
import { paragraphsOf, type Vocabulary } from "./paragraphs.js";

/** Prose is drawn column by column, or fills its columns; tables are drawn row by row, or their cells are short. */
export function isTable(band: Band, parts: readonly Row[][]): boolean {
  const shared = band.rows.filter((row) => row.atoms.length > 1).length;
  const atoms = band.rows.flatMap((row) => row.atoms);
  if (shared < 2 || atoms.some(({ block }) => block?.kind === "table")) return false;
  const changes = changesOf(band);
  const prose = parts.filter(isProse);
  if (changes <= 2 * (band.sides.length - 1))
    return prose.length < parts.length && shared >= 0.8 * band.rows.length;
  // A figure beside a column is drawn in any order, the column's lines one after the other.
  if (prose.length > 0 && changes <= 0.6 * shared && prose.some((part) => part.length >= 6)) return false;
  const isReadAcross = changes >= 0.9 * (2 * shared - 1);
  return !(prose.length === parts.length && shared >= 6 && isReadAcross);
}

/** Long lines that fill their side. */
const isProse = (part: readonly Row[]): boolean =>
  median(part.flatMap((row) => row.atoms.map(lettersOf))) >= proseLength && filled(part) >= 0.8;

/** How much of the side's width its lines take. */
function filled(part: readonly Row[]): number {
  const width = widthOf(around(part));
  return median(part.map((row) => widthOf(row) / width));
}

export function tableOf(
  band: Band,
  parts: readonly Row[][],
  rules: readonly Box[],
  words: Vocabulary,
): Block[] {
  const edges = band.sides.map(({ left }, index) =>
    index === 0 ? left : (left + (band.sides[index - 1]?.right ?? left)) / 2,
  );
  const right = Math.max(...band.sides.map((side) => side.right));
  const isDrawnByColumns = changesOf(band) < 2 * band.rows.length - 1 && parts.length === changesOf(band) + 1;
  const groups: Row[][] = [];
  for (const row of band.rows) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    if (group && previous && !isRuled(rules, previous, row) && goesOn(band, previous, row, isDrawnByColumns))
      group.push(row);
    else groups.push([row]);
  }
  const box = around(band.rows);
  const table: Table = {
    kind: "table",
    box,
    widths: edges.map((edge, index) => (edges[index + 1] ?? right) - edge),
    rows: groups.map((rows) => band.sides.map((side) => cellOf(rows, side, words))),
    ruled: false,
    order: Math.min(...band.rows.flatMap((row) => row.atoms.map(({ order }) => order))),
  };
  return [table];
}

/** How often what is drawn goes from one side to another. */
function changesOf(band: Band): number {
  const sides = band.rows
    .flatMap((row) => row.atoms)
    .sort((a, b) => a.order - b.order)
    .map((atom) =>
      band.sides.findIndex(({ left, right }) => atom.left >= left - 1 && atom.right <= right + 1),
    );
  return sides.filter((side, index) => index > 0 && side !== sides[index - 1]).length;
}

const isRuled = (rules: readonly Box[], above: Row, below: Row): boolean =>
  rules.some(
    (rule) =>
      rule.top > above.bottom - above.size * 0.4 &&
      rule.bottom < below.top + below.size * 0.6 &&
      rule.left < below.right &&
      rule.right > below.left,
  );

/** Lines of one cell follow each other closely, and nothing new begins in the first column. */
function goesOn(band: Band, above: Row, below: Row, isDrawnByColumns: boolean): boolean {
  if (below.top - above.bottom > 0.6 * below.size) return false;
  const first = band.sides[0];
  const beginsRow = below.atoms.some((atom) => first && atom.left < first.right && atom.right > first.left);
  if (!beginsRow) return below.atoms.length < band.sides.length;
  if (isDrawnByColumns) return false;
  const order = band.rows
    .flatMap((row) => row.atoms)
    .map((atom) => atom.order)
    .sort((a, b) => a - b);
  const rank = (atom: Atom): number => order.indexOf(atom.order);
  return below.atoms.some((atom) =>
    above.atoms.some(
      (other) => rank(other) + 1 === rank(atom) && other.left < atom.right && other.right > atom.left,
    ),
  );
}

function cellOf(rows: readonly Row[], side: { left: number; right: number }, words: Vocabulary): Cell {
  const lines = rows.flatMap((row) => {
    const atoms = row.atoms.filter((atom) => atom.left >= side.left - 1 && atom.right <= side.right + 1);
    return atoms.length > 0 ? [{ ...around(atoms), atoms, size: row.size }] : [];
  });
  return { blocks: lines.length > 0 ? paragraphsOf(lines, side, words) : [], columnSpan: 1, rowSpan: 1 };
}
