/** Converts a table to a pdfmake table, with merged cells, borders, shading and repeated header rows. */
import type { PdfNode, TableCellNode, TableNode } from "./nodes.js";
import { clamp, pointsOf, shadeOf } from "./run-style.js";
import type { BlockContext } from "./story.js";
import { type GridCell, type GridRow, readGrid } from "./table-grid.js";
import { readBorder, readTableStyle, sides, type TableStyle } from "./table-style.js";
import { child, textOf, valOf, type XmlElement } from "./xml.js";

export type ReadBlocks = (parent: XmlElement, context: BlockContext) => PdfNode[];

/** Longer header rows are not repeated. */
const maxHeaderLetters = 1_500;
const maxHeaderRows = 4;

interface TableContext {
  style: TableStyle;
  widths: readonly number[];
  rowCount: number;
  context: BlockContext;
  readBlocks: ReadBlocks;
}

export function readTable(
  table: XmlElement,
  context: BlockContext,
  readBlocks: ReadBlocks,
): TableNode | null {
  const style = readTableStyle(table, context.story.styles);
  const indent = pointsOf(child(child(table, "w:tblPr"), "w:tblInd")?.attributes["w:w"]) ?? 0;
  const left = clamp(indent, 0, context.width / 2);
  const { rows, widths } = readGrid(table, context.width - left);
  if (rows.length === 0 || widths.length === 0) return null;
  const { left: before, right: after } = style.padding;
  const setting = { style, widths, rowCount: rows.length, context, readBlocks };
  const body = rows.map((row, at) => readRow(row, at, setting));
  return {
    table: {
      // pdfmake adds padding and borders to the widths.
      widths: widths.map((width) => Math.max(4, width - before - after - style.lineWidth)),
      headerRows: countHeaderRows(rows),
      body,
      heights: rows.map(({ height }) => (height > 0 ? Math.min(height, context.height / 2) : "auto")),
      dontBreakRows: false,
    },
    layout: layoutOf(style),
    margin: [clamp(left - before, 0, left), 0, 0, 0],
  };
}

const layoutOf = ({ lineWidth, padding }: TableStyle) => ({
  hLineWidth: () => lineWidth,
  vLineWidth: () => lineWidth,
  paddingLeft: () => padding.left,
  paddingRight: () => padding.right,
  paddingTop: () => padding.top,
  paddingBottom: () => padding.bottom,
});

/** Counts leading header rows. Returns 0 if they cannot be repeated: without other rows, too long, or with merged cells. */
function countHeaderRows(rows: readonly GridRow[]): number {
  const count = rows.findIndex(({ isHeader }) => !isHeader);
  if (count < 1 || count > maxHeaderRows) return 0;
  const heads = rows.slice(0, count);
  const reachesOut = heads.some(({ cells }, at) => cells.some((cell) => at + cell.rows > count));
  const length = heads
    .flatMap(({ cells }) => cells)
    .reduce((sum, { element }) => sum + textLength(element), 0);
  const hasPictures = heads.some(({ cells }) =>
    cells.some(({ element }) => element && containsPicture(element)),
  );
  return reachesOut || length > maxHeaderLetters || hasPictures ? 0 : count;
}

const textLength = (element: XmlElement | null): number => (element ? textOf(element).length : 0);

const containsPicture = (element: XmlElement): boolean =>
  element.children.some(
    (one) =>
      typeof one !== "string" && (one.name === "w:drawing" || one.name === "w:pict" || containsPicture(one)),
  );

function readRow(row: GridRow, at: number, setting: TableContext): TableNode["table"]["body"][number] {
  const cells: TableNode["table"]["body"][number] = setting.widths.map(() => ({}));
  // Covered cells stay empty, as pdfmake expects.
  for (const cell of row.cells) if (cell.rows > 0) cells[cell.column] = readCell(cell, at, setting);
  return cells;
}

function readCell(cell: GridCell, row: number, setting: TableContext): TableCellNode {
  const { style, widths, context, rowCount, readBlocks } = setting;
  const { element, column, columns, rows } = cell;
  if (!element) return { stack: [], colSpan: columns, border: [false, false, false, false] };
  const properties = child(element, "w:tcPr");
  const isFirstRow = row === 0;
  const band = row % 2 === (style.firstRow.shade ? 1 : 0) ? style.band : undefined;
  const shade = shadeOf(properties) ?? (isFirstRow ? style.firstRow.shade : undefined) ?? band ?? style.shade;
  const { left, right } = style.padding;
  const width = widths.slice(column, column + columns).reduce((sum, one) => sum + one, 0) - left - right - 1;
  const stack = readBlocks(element, {
    ...context,
    depth: context.depth + 1,
    width: Math.max(10, width),
    height: context.height * 0.85,
    run: { ...context.run, ...style.run, ...(isFirstRow ? style.firstRow.run : {}) },
    paragraph: style.paragraph,
    background: shade ?? context.background,
  });
  const edges = {
    left: column === 0,
    top: isFirstRow,
    right: column + columns === widths.length,
    bottom: row + rows === rowCount,
  };
  const borders = child(properties, "w:tcBorders");
  const lines = sides.map((side) => readBorder(borders, side) ?? style.border(side, edges[side]));
  const vertical = valOf(properties, "w:vAlign");
  return {
    stack,
    ...(columns > 1 ? { colSpan: columns } : {}),
    ...(rows > 1 ? { rowSpan: rows } : {}),
    ...(shade && shade !== "#ffffff" ? { fillColor: shade } : {}),
    border: lines.map(({ isDrawn }) => isDrawn) as [boolean, boolean, boolean, boolean],
    borderColor: lines.map(({ color }) => color) as [string, string, string, string],
    ...(vertical === "center" ? { verticalAlignment: "middle" } : {}),
    ...(vertical === "bottom" ? { verticalAlignment: "bottom" } : {}),
  };
}
