/** Ruled tables: crossing lines become a grid, and a grid cells, which span where a line is missing. */
import { around, type Box, heightOf, overlap } from "./model.js";

/** Points by which lines that belong together miss each other. */
const slack = 3;
/** Double lines and frames around frames are nearer to each other than text could stand between. */
const narrowest = 6;

export interface GridCell extends Box {
  columnSpan: number;
  rowSpan: number;
}

export interface Grid extends Box {
  widths: number[];
  rows: GridCell[][];
}

const mostCells = 5_000;

export function gridsOf(horizontal: readonly Box[], vertical: readonly Box[]): Grid[] {
  const across = joined(horizontal, "left", "right", "top");
  const down = joined(vertical, "top", "bottom", "left");
  return crossing(across, down).flatMap((part) => gridOf(part.across, part.down) ?? []);
}

/** Pieces of one line, end to end, are one. */
function joined(
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
    if (last && rule[start] <= last[end] + slack) last[end] = Math.max(last[end], rule[end]);
    else out.push({ ...rule });
  }
  return out;
}

const crosses = (across: Box, down: Box): boolean =>
  overlap(across.left - slack, across.right + slack, down.left, down.right) >= 0 &&
  overlap(down.top - slack, down.bottom + slack, across.top, across.bottom) >= 0;

/** Lines that hang together. */
function crossing(across: readonly Box[], down: readonly Box[]): { across: Box[]; down: Box[] }[] {
  const parts: { across: Box[]; down: Box[] }[] = [];
  const left = new Set(down);
  const open = new Set(across);
  for (const first of across) {
    if (!open.delete(first)) continue;
    const part = { across: [first], down: [] as Box[] };
    for (let a = 0, d = 0; a < part.across.length || d < part.down.length; ) {
      const rule = a < part.across.length ? part.across[a++] : undefined;
      if (rule) part.down.push(...taken(left, (other) => crosses(rule, other)));
      const other = d < part.down.length ? part.down[d++] : undefined;
      if (other) part.across.push(...taken(open, (next) => crosses(next, other)));
    }
    if (part.down.length > 0) parts.push(part);
  }
  return parts;
}

function taken(from: Set<Box>, wanted: (box: Box) => boolean): Box[] {
  const found = [...from].filter(wanted);
  for (const box of found) from.delete(box);
  return found;
}

/** Lines' places without those that are nearly the same. */
function places(values: readonly number[]): number[] {
  const out: number[] = [];
  for (const value of [...values].sort((a, b) => a - b))
    if (out.length === 0 || value - (out.at(-1) as number) > narrowest) out.push(value);
  return out;
}

/** Open sides end where the lines do that run into them. One column alone is a frame. */
function gridOf(across: readonly Box[], down: readonly Box[]): Grid | null {
  const all = around([...across, ...down]);
  const xs = places([...down.map(({ left, right }) => (left + right) / 2), all.left, all.right]);
  const ys = places([...across.map(({ top, bottom }) => (top + bottom) / 2), all.top, all.bottom]);
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  if (columns < 2 || rows < 1 || columns * rows > mostCells || heightOf(all) < 8) return null;
  const isClosedRight = (x: number, from: number, to: number): boolean =>
    down.some(
      (rule) =>
        Math.abs((rule.left + rule.right) / 2 - x) <= narrowest && covers(rule.top, rule.bottom, from, to),
    );
  const isClosedBelow = (y: number, from: number, to: number): boolean =>
    across.some(
      (rule) =>
        Math.abs((rule.top + rule.bottom) / 2 - y) <= narrowest && covers(rule.left, rule.right, from, to),
    );
  const cells = cellsOf(xs, ys, isClosedRight, isClosedBelow);
  return { ...all, widths: xs.slice(1).map((x, index) => x - (xs[index] as number)), rows: cells };
}

const covers = (start: number, end: number, from: number, to: number): boolean =>
  overlap(start, end, from, to) > 0.5 * (to - from);

type Closed = (at: number, from: number, to: number) => boolean;

/** Each cell reaches to the next lines to its right and below. */
function cellsOf(xs: readonly number[], ys: readonly number[], right: Closed, below: Closed): GridCell[][] {
  const used = new Set<string>();
  const rows: GridCell[][] = [];
  for (let row = 0; row + 1 < ys.length; row++) {
    const cells: GridCell[] = [];
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
