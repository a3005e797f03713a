/** Composes the blocks of a page in reading order: ruled tables first, then the content around them. */

import { createRow, type RowItem, type TextRow } from "./bands.js";
import { createLine, groupIntoRows, type Vocabulary } from "./lines.js";
import { parseMarker } from "./lists.js";
import {
  type Block,
  type Box,
  boundingBox,
  type Cell,
  type Column,
  centreOf,
  containsCentre,
  heightOf,
  type Line,
  type LineArt,
  overlap,
  type PageContent,
  type PagePicture,
  type PageTable,
  type TextRun,
} from "./page-model.js";
import { measureColumn, toReadingOrder } from "./reading-order.js";

/** Maximum gap between lines that are meant to touch, in points. */
const joinTolerancePoints = 3;
/** Minimum distance of two lines in points. Closer lines are double lines, without space for text between them. */
const minLineDistancePoints = 6;

interface RuledCell extends Box {
  columnSpan: number;
  rowSpan: number;
}

interface RuledGrid extends Box {
  widths: number[];
  rows: RuledCell[][];
}

const maxCells = 5_000;

function findRuledGrids(horizontal: readonly Box[], vertical: readonly Box[]): RuledGrid[] {
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

/** Creates a grid. Its open sides end where the lines that run into them end. A single column is a frame, not a table. */
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

const ruledCellPaddingPoints = 3;

type Content = Pick<PageContent, "runs" | "pictures" | "lineArt">;

/** Returns the column between the margins that the text of the pages fills, or null without text. */
export function textColumn(pages: readonly Content[]): Column | null {
  const rows = pages.flatMap(({ runs, lineArt }) =>
    groupIntoRows(runs, lineArt.vertical).map((row) => createRow(row.map(itemOfLine))),
  );
  return rows.length > 0 ? measureColumn(rows) : null;
}

export function composeBlocks(
  { runs, pictures, lineArt }: Content,
  words: Vocabulary,
  column?: Column,
): Block[] {
  let [texts, images] = [runs, pictures.filter(({ isBehindText }) => !isBehindText)];
  const tables: PageTable[] = [];
  for (const grid of findRuledGrids(lineArt.horizontal, lineArt.vertical)) {
    const inside = texts.filter((run) => containsCentre(grid, run));
    const filled = grid.rows.flat().filter((cell) => inside.some((run) => containsCentre(cell, run)));
    if (filled.length < 2) continue;
    const within = images.filter((picture) => containsCentre(grid, picture));
    tables.push(ruledTable(grid, inside, within, lineArt, words));
    texts = texts.filter((run) => !inside.includes(run));
    images = images.filter((picture) => !within.includes(picture));
  }
  const rows = remainingRows(texts, images, tables, lineArt);
  return rows.length > 0
    ? toReadingOrder(rows, column ?? measureColumn(rows), words, lineArt.horizontal)
    : [];
}

function ruledTable(
  grid: RuledGrid,
  runs: readonly TextRun[],
  pictures: readonly PagePicture[],
  lineArt: LineArt,
  words: Vocabulary,
): PageTable {
  const own = { horizontal: [], vertical: [], dots: lineArt.dots };
  const cellOf = (cell: RuledGrid["rows"][number][number]): Cell => ({
    blocks: composeBlocks(
      {
        runs: runs.filter((run) => containsCentre(cell, run)),
        pictures: pictures.filter((picture) => containsCentre(cell, picture)),
        lineArt: own,
      },
      words,
    ),
    columnSpan: cell.columnSpan,
    rowSpan: cell.rowSpan,
  });
  return {
    kind: "table",
    box: grid,
    widths: grid.widths,
    rows: grid.rows.map((row) => row.map(cellOf)),
    ruled: true,
    padding: ruledCellPaddingPoints,
    order: Math.min(...runs.map(({ order }) => order)),
  };
}

function remainingRows(
  runs: readonly TextRun[],
  pictures: readonly PagePicture[],
  tables: readonly PageTable[],
  lineArt: LineArt,
): TextRow[] {
  const lines = groupIntoRows(runs, lineArt.vertical).map((row) =>
    createRow(joinMarkers(row, lineArt.dots).map(itemOfLine)),
  );
  const blocks = [
    ...tables.map((table) =>
      createRow([{ ...table.box, size: 10, order: table.order, line: null, block: table }]),
    ),
    ...pictures.map((picture) =>
      createRow([
        {
          ...boundingBox([picture]),
          size: 10,
          order: picture.order,
          line: null,
          block: { kind: "figure", picture, box: boundingBox([picture]) },
        },
      ]),
    ),
  ];
  return [...lines, ...blocks].sort((a, b) => a.top - b.top || a.left - b.left);
}

const itemOfLine = (line: Line): RowItem => ({
  ...boundingBox([line]),
  size: line.size,
  order: line.order,
  line,
  block: null,
});

/** Joins list markers, including bullets drawn as dots, with the line that follows them. */
function joinMarkers(row: readonly Line[], dots: readonly Box[]): Line[] {
  const out: Line[] = [];
  for (const line of row) {
    const last = out.at(-1);
    const gap = last ? line.left - last.right : 0;
    if (last && isMarker(last) && gap < (row.length === 2 ? 4 : 2) * line.size) {
      out[out.length - 1] = createLine([
        ...last.runs,
        ...line.runs.map((run, at) => (at === 0 ? { ...run, hasSpaceBefore: true } : run)),
      ]);
      continue;
    }
    const dot = dots.find((box) => isBulletOf(box, line));
    const first = line.runs[0];
    out.push(
      dot && first
        ? createLine([bulletRun(dot, first), { ...first, hasSpaceBefore: true }, ...line.runs.slice(1)])
        : line,
    );
  }
  return out;
}

function isMarker({ runs }: Line): boolean {
  const text = runs.map((run) => run.text).join("");
  return parseMarker(text)?.length === text.length;
}

function isBulletOf(dot: Box, { left, baseline, size, runs }: Line): boolean {
  const { y } = centreOf(dot);
  const gap = left - dot.right;
  return (
    gap > 0 &&
    gap < 2.5 * size &&
    y < baseline &&
    y > baseline - 0.8 * size &&
    !parseMarker(runs[0]?.text ?? "")
  );
}

const bulletRun = (dot: Box, run: TextRun): TextRun => ({
  ...run,
  ...dot,
  top: run.top,
  bottom: run.bottom,
  text: "•",
  link: null,
});
