/** A page becomes blocks in reading order: ruled tables first, then what stands around them. */
import { type Atom, type Row, rowOf } from "./bands.js";
import { type Grid, gridsOf } from "./grid.js";
import { arrange, columnOf } from "./layout.js";
import { lineOf, rowsOf } from "./lines.js";
import { markerOf } from "./markers.js";
import {
  around,
  type Block,
  type Box,
  type Cell,
  type Column,
  centreOf,
  type Drawing,
  holds,
  type Line,
  type Page,
  type Picture,
  type Run,
  type Table,
} from "./model.js";
import type { Vocabulary } from "./spans.js";

/** Points. */
const ruledPadding = 3;

type Content = Pick<Page, "runs" | "pictures" | "drawing">;

/** Where the text of pages begins and ends, between their margins; null where there is none. */
export function bodyOf(pages: readonly Content[]): Column | null {
  const rows = pages.flatMap(({ runs, drawing }) =>
    rowsOf(runs, drawing.vertical).map((row) => rowOf(row.map(atomOfLine))),
  );
  return rows.length > 0 ? columnOf(rows) : null;
}

export function blocksOf({ runs, pictures, drawing }: Content, words: Vocabulary, column?: Column): Block[] {
  let [texts, images] = [runs, pictures.filter(({ behind }) => !behind)];
  const tables: Table[] = [];
  for (const grid of gridsOf(drawing.horizontal, drawing.vertical)) {
    const inside = texts.filter((run) => holds(grid, run));
    const filled = grid.rows.flat().filter((cell) => inside.some((run) => holds(cell, run)));
    if (filled.length < 2) continue;
    const within = images.filter((picture) => holds(grid, picture));
    tables.push(tableOf(grid, inside, within, drawing, words));
    texts = texts.filter((run) => !inside.includes(run));
    images = images.filter((picture) => !within.includes(picture));
  }
  const rows = rowsAround(texts, images, tables, drawing);
  return rows.length > 0 ? arrange(rows, column ?? columnOf(rows), words, drawing.horizontal) : [];
}

function tableOf(
  grid: Grid,
  runs: readonly Run[],
  pictures: readonly Picture[],
  drawing: Drawing,
  words: Vocabulary,
): Table {
  const own = { horizontal: [], vertical: [], dots: drawing.dots };
  const cellOf = (cell: Grid["rows"][number][number]): Cell => ({
    blocks: blocksOf(
      {
        runs: runs.filter((run) => holds(cell, run)),
        pictures: pictures.filter((picture) => holds(cell, picture)),
        drawing: own,
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
    padding: ruledPadding,
    order: Math.min(...runs.map(({ order }) => order)),
  };
}

function rowsAround(
  runs: readonly Run[],
  pictures: readonly Picture[],
  tables: readonly Table[],
  drawing: Drawing,
): Row[] {
  const lines = rowsOf(runs, drawing.vertical).map((row) =>
    rowOf(withBullets(row, drawing.dots).map(atomOfLine)),
  );
  const blocks = [
    ...tables.map((table) =>
      rowOf([{ ...table.box, size: 10, order: table.order, line: null, block: table }]),
    ),
    ...pictures.map((picture) =>
      rowOf([
        {
          ...around([picture]),
          size: 10,
          order: picture.order,
          line: null,
          block: { kind: "figure", picture, box: around([picture]) },
        },
      ]),
    ),
  ];
  return [...lines, ...blocks].sort((a, b) => a.top - b.top || a.left - b.left);
}

const atomOfLine = (line: Line): Atom => ({
  ...around([line]),
  size: line.size,
  order: line.order,
  line,
  block: null,
});

/** Markers and what they mark are one line, also where the marker is drawn as a dot. */
function withBullets(row: readonly Line[], dots: readonly Box[]): Line[] {
  const out: Line[] = [];
  for (const line of row) {
    const last = out.at(-1);
    const gap = last ? line.left - last.right : 0;
    if (last && isMarker(last) && gap < (row.length === 2 ? 4 : 2) * line.size) {
      out[out.length - 1] = lineOf([
        ...last.runs,
        ...line.runs.map((run, at) => (at === 0 ? { ...run, spaced: true } : run)),
      ]);
      continue;
    }
    const dot = dots.find((box) => marks(box, line));
    const first = line.runs[0];
    out.push(
      dot && first ? lineOf([bulletOf(dot, first), { ...first, spaced: true }, ...line.runs.slice(1)]) : line,
    );
  }
  return out;
}

function isMarker({ runs }: Line): boolean {
  const text = runs.map((run) => run.text).join("");
  return markerOf(text)?.length === text.length;
}

function marks(dot: Box, { left, baseline, size, runs }: Line): boolean {
  const { y } = centreOf(dot);
  const gap = left - dot.right;
  return (
    gap > 0 && gap < 2.5 * size && y < baseline && y > baseline - 0.8 * size && !markerOf(runs[0]?.text ?? "")
  );
}

const bulletOf = (dot: Box, run: Run): Run => ({
  ...run,
  ...dot,
  top: run.top,
  bottom: run.bottom,
  text: "•",
  link: null,
});
