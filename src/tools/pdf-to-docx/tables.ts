/** Tables without lines: sides whose rows stand on the same baselines, and that are no columns of prose. */
import { type Atom, type Band, lettersOf, proseLength, type Row } from "./bands.js";
import {
  around,
  type Block,
  type Box,
  type Cell,
  type Column,
  median,
  type Table,
  widthOf,
} from "./model.js";
import { paragraphsOf } from "./paragraphs.js";
import type { Vocabulary } from "./spans.js";

/** Word's own, in points. */
const widestPadding = 5.4;

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
  const columns = band.sides.map((side, index) => ({ ...side, align: alignOf(parts[index] ?? [], side) }));
  const gaps = columns.slice(1).map(({ left }, index) => left - (columns[index]?.right ?? left));
  const padding = Math.min(widestPadding, ...gaps.map((gap) => gap / 2));
  const edges = edgesOf(columns, padding);
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
    widths: edges.slice(1).map((edge, index) => edge - (edges[index] as number)),
    rows: groups.map((rows) => columns.map((column) => cellOf(rows, column, words))),
    ruled: false,
    padding,
    order: Math.min(...band.rows.flatMap((row) => row.atoms.map(({ order }) => order))),
  };
  return [table];
}

interface TableColumn {
  left: number;
  right: number;
  align: "left" | "center" | "right";
}

/** Whether text of a column stands as so aligned; the widest does in any way. */
const standsAs = {
  left: (box: Box, { left }: Column): boolean => box.left - left < 2,
  center: (box: Box, { left, right }: Column): boolean => Math.abs(box.left + box.right - left - right) < 4,
  right: (box: Box, { right }: Column): boolean => right - box.right < 2,
};

/** As most of its lines stand. */
function alignOf(part: readonly Row[], side: Column): TableColumn["align"] {
  const atoms = part.flatMap((row) => row.atoms);
  const count = (align: TableColumn["align"]): number =>
    atoms.filter((atom) => standsAs[align](atom, side)).length;
  return (["left", "right", "center"] as const).reduce((most, align) =>
    count(align) > count(most) ? align : most,
  );
}

/** Where columns begin and the last one ends: beside what is aligned there, else in the middle of what is free. */
function edgesOf(columns: readonly TableColumn[], padding: number): number[] {
  const between = columns.slice(1).map((column, index) => {
    const before = columns[index] as TableColumn;
    if (column.align === "left") return column.left - padding;
    return before.align === "right" ? before.right + padding : (before.right + column.left) / 2;
  });
  const [first, last] = [columns[0] as TableColumn, columns.at(-1) as TableColumn];
  return [first.left - padding, ...between, last.right + padding];
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

function cellOf(rows: readonly Row[], column: TableColumn, words: Vocabulary): Cell {
  const lines = rows.flatMap((row) => {
    const atoms = row.atoms.filter((atom) => atom.left >= column.left - 1 && atom.right <= column.right + 1);
    return atoms.length > 0 ? [{ ...around(atoms), atoms, size: row.size }] : [];
  });
  const side = { left: column.left, right: column.right };
  const blocks = lines.length > 0 ? paragraphsOf(lines, side, words) : [];
  for (const block of blocks)
    if (block.kind === "paragraph" && block.align !== "both" && standsAs[column.align](block.box, side))
      block.align = column.align;
  return { blocks, columnSpan: 1, rowSpan: 1 };
}
