/** Converts a table, with merged cells, borders, shading and repeated header rows. */
import type { Border, TableBlock, TableCell } from "./nodes.js";
import { clamp, pointsOf, shadeOf } from "./run-style.js";
import type { BlockContext } from "./story.js";
import { type GridCell, type GridRow, readGrid } from "./table-grid.js";
import { type BorderSide, readBorder, readTableStyle, type TableStyle } from "./table-style.js";
import { child, findElement, textOf, valOf, type XmlElement } from "./xml.js";

/** Longer header rows are not repeated. */
const maxHeaderLetters = 1_500;
const maxHeaderRows = 4;

interface TableContext {
  style: TableStyle;
  widths: readonly number[];
  rowCount: number;
  context: BlockContext;
}

export function readTable(table: XmlElement, context: BlockContext): TableBlock | null {
  const style = readTableStyle(table, context.story.styles);
  const indent = pointsOf(child(child(table, "w:tblPr"), "w:tblInd")?.attributes["w:w"]) ?? 0;
  const left = clamp(indent, 0, context.width / 2);
  const { rows, widths } = readGrid(table, context.width - left);
  if (rows.length === 0 || widths.length === 0) return null;
  const headers = countHeaderRows(rows);
  // A link cannot lead to what is repeated on each page.
  const repeated = { ...context, story: { ...context.story, linkTargets: null } };
  const contextOf = (row: number): BlockContext => (row < headers ? repeated : context);
  return {
    kind: "table",
    left: clamp(left - style.padding.left, 0, left),
    columns: widths,
    padding: style.padding,
    headers,
    rows: rows.map((row, y) => ({
      y,
      height: Math.min(row.height, context.height / 2),
      cells: row.cells.flatMap((cell) =>
        cell.element && cell.rows > 0
          ? [readCell(cell, cell.element, y, { style, widths, rowCount: rows.length, context: contextOf(y) })]
          : [],
      ),
    })),
  };
}

/** Counts leading header rows. Returns 0 if they cannot be repeated: without other rows, too long, or with merged cells. */
function countHeaderRows(rows: readonly GridRow[]): number {
  const count = rows.findIndex(({ isHeader }) => !isHeader);
  if (count < 1 || count > maxHeaderRows) return 0;
  const cells = rows.slice(0, count).flatMap((row, at) => row.cells.map((cell) => ({ ...cell, at })));
  const reachesOut = cells.some(({ rows: span, at }) => at + span > count);
  const elements = cells.flatMap(({ element }) => (element ? [element] : []));
  const length = elements.reduce((sum, element) => sum + textOf(element).length, 0);
  return reachesOut || length > maxHeaderLetters || elements.some(containsPicture) ? 0 : count;
}

const containsPicture = (element: XmlElement): boolean =>
  ["w:drawing", "w:pict"].some((name) => !findElement(element, name).next().done);

function readCell(cell: GridCell, element: XmlElement, y: number, setting: TableContext): TableCell {
  const { style, widths, context, rowCount } = setting;
  const { column, columns, rows } = cell;
  const properties = child(element, "w:tcPr");
  const isFirstRow = y === 0;
  const band = y % 2 === (style.firstRow.shade ? 1 : 0) ? style.band : undefined;
  const shade = shadeOf(properties) ?? (isFirstRow ? style.firstRow.shade : undefined) ?? band ?? style.shade;
  const { left, right } = style.padding;
  const width = widths.slice(column, column + columns).reduce((sum, one) => sum + one, 0) - left - right - 1;
  const blocks = context.story.readBlocks(element, {
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
    bottom: y + rows === rowCount,
  };
  const borders = child(properties, "w:tcBorders");
  const border = (side: BorderSide): Border => {
    const { isDrawn, color } = readBorder(borders, side) ?? style.border(side, edges[side]);
    return isDrawn ? { width: style.lineWidth, color } : null;
  };
  const align = valOf(properties, "w:vAlign");
  return {
    x: column,
    columns,
    rows,
    blocks,
    fill: shade && shade !== "#ffffff" ? shade : null,
    align: align === "center" || align === "bottom" ? align : "top",
    left: border("left"),
    top: border("top"),
    right: border("right"),
    bottom: border("bottom"),
  };
}
