/** Composes the blocks of a page in reading order: ruled tables first, then the content around them. */
import { createRow, type RowItem, type TextRow } from "./bands.js";
import { createLine, groupIntoRows } from "./lines.js";
import { parseMarker } from "./list-markers.js";
import {
  type Block,
  type Box,
  boundingBox,
  type Cell,
  type Column,
  centreOf,
  containsCentre,
  type Line,
  type LineArt,
  type PageContent,
  type PagePicture,
  type PageTable,
  type TextRun,
} from "./page-model.js";
import { measureColumn, toReadingOrder } from "./reading-order.js";
import { findRuledGrids, type RuledGrid } from "./ruled-grid.js";
import type { Vocabulary } from "./spans.js";

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
