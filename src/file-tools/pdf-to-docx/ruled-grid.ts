/** Finds ruled tables: crossing lines form a grid, whose cells span where a line is missing. */
import { type Box, boundingBox, heightOf, overlap } from "./page-model.js";

/** Maximum gap between lines that are meant to touch. */
const joinTolerancePoints = 3;
/** Lines closer than this are double lines, with no room for text between them. */
const minLineDistancePoints = 6;

export interface RuledCell extends Box {
  columnSpan: number;
  rowSpan: number;
}

export interface RuledGrid extends Box {
  widths: number[];
  rows: RuledCell[][];
}

const maxCells = 5_000;

export function findRuledGrids(horizontal: readonly Box[], vertical: readonly Box[]): RuledGrid[] {
  const across = joinCollinear(horizontal, "left", "right", "top");
  const down = joinCollinear(vertical, "top", "bottom", "left");
  return connectedLines(across, down).flatMap((part) => createGrid(part.across, part.down) ?? []);
}

/** Joins segments of one line that touch end to end. */
function joinCollinear(
  rules: readonly Box[],
  start: "left" | "top",
  end: "right" | "bottom",
  at: "left" | "top",
): Box[] {
  const out: Box[] = [];
  for (const rule of [...rules].sort(
    (a, b) => Math.round(a[at]) - Math.round(b[at]) || a[start] - b[start],
  )) {
    const last = out.findLast(
      (other, index) => index >= out.length - 3 && Math.abs(other[at] - rule[at]) < 1.5,
    );
    if (last && rule[start] <= last[end] + joinTolerancePoints) last[end] = Math.max(last[end], rule[end]);
    else out.push({ ...rule });
  }
  return out;
}

const crosses = (across: Box, down: Box): boolean =>
  overlap(across.left - joinTolerancePoints, across.right + joinTolerancePoints, down.left, down.right) >=
    0 &&
  overlap(down.top - joinTolerancePoints, down.bottom + joinTolerancePoints, across.top, across.bottom) >= 0;

/** Returns groups of lines that are connected by crossings. */
function connectedLines(across: readonly Box[], down: readonly Box[]): { across: Box[]; down: Box[] }[] {
  const parts: { across: Box[]; down: Box[] }[] = [];
  const left = new Set(down);
  const open = new Set(across);
  for (const first of across) {
    if (!open.delete(first)) continue;
    const part = { across: [first], down: [] as Box[] };
    for (let a = 0, d = 0; a < part.across.length || d < part.down.length; ) {
      const rule = a < part.across.length ? part.across[a++] : undefined;
      if (rule) part.down.push(...takeMatching(left, (other) => crosses(rule, other)));
      const other = d < part.down.length ? part.down[d++] : undefined;
      if (other) part.across.push(...takeMatching(open, (next) => crosses(next, other)));
    }
    if (part.down.length > 0) parts.push(part);
  }
  return parts;
}

function takeMatching(from: Set<Box>, wanted: (box: Box) => boolean): Box[] {
  const found = [...from].filter(wanted);
  for (const box of found) from.delete(box);
  return found;
}

/** Returns sorted positions without near duplicates. */
function distinctPositions(values: readonly number[]): number[] {
  const out: number[] = [];
  for (const value of [...values].sort((a, b) => a - b))
    if (out.length === 0 || value - (out.at(-1) as number) > minLineDistancePoints) out.push(value);
  return out;
}

/** Creates a grid, whose open sides end with the lines that run into them. A single column is a frame, not a table. */
function createGrid(across: readonly Box[], down: readonly Box[]): RuledGrid | null {
  const all = boundingBox([...across, ...down]);
  const xs = distinctPositions([...down.map(({ left, right }) => (left + right) / 2), all.left, all.right]);
  const ys = distinctPositions([...across.map(({ top, bottom }) => (top + bottom) / 2), all.top, all.bottom]);
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  if (columns < 2 || rows < 1 || columns * rows > maxCells || heightOf(all) < 8) return null;
  const isClosedRight = (x: number, from: number, to: number): boolean =>
    down.some(
      (rule) =>
        Math.abs((rule.left + rule.right) / 2 - x) <= minLineDistancePoints &&
        covers(rule.top, rule.bottom, from, to),
    );
  const isClosedBelow = (y: number, from: number, to: number): boolean =>
    across.some(
      (rule) =>
        Math.abs((rule.top + rule.bottom) / 2 - y) <= minLineDistancePoints &&
        covers(rule.left, rule.right, from, to),
    );
  const cells = createCells(xs, ys, isClosedRight, isClosedBelow);
  return { ...all, widths: xs.slice(1).map((x, index) => x - (xs[index] as number)), rows: cells };
}

const covers = (start: number, end: number, from: number, to: number): boolean =>
  overlap(start, end, from, to) > 0.5 * (to - from);

type HasLine = (at: number, from: number, to: number) => boolean;

/** Creates cells that extend to the next lines to the right and below. */
function createCells(
  xs: readonly number[],
  ys: readonly number[],
  right: HasLine,
  below: HasLine,
): RuledCell[][] {
  const used = new Set<string>();
  const rows: RuledCell[][] = [];
  for (let row = 0; row + 1 < ys.length; row++) {
    const cells: RuledCell[] = [];
    for (let column = 0; column + 1 < xs.length; column++) {
      if (used.has(`${row} ${column}`)) continue;
      const [top, bottom] = [ys[row] as number, ys[row + 1] as number];
      let [columnSpan, rowSpan] = [1, 1];
      const isFree = () => column + columnSpan + 1 < xs.length && !used.has(`${row} ${column + columnSpan}`);
      while (isFree() && !right(xs[column + columnSpan] as number, top, bottom)) columnSpan++;
      const [from, to] = [xs[column] as number, xs[column + columnSpan] as number];
      while (row + rowSpan + 1 < ys.length && !below(ys[row + rowSpan] as number, from, to)) rowSpan++;
      for (let r = row; r < row + rowSpan; r++)
        for (let c = column; c < column + columnSpan; c++) used.add(`${r} ${c}`);
      cells.push({ left: from, right: to, top, bottom: ys[row + rowSpan] as number, columnSpan, rowSpan });
    }
    rows.push(cells);
  }
  return rows;
}
