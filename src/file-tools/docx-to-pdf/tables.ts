/** Reads tables with merged cells, borders, shading and repeated header rows, and writes them as Typst code. */

import type { BlockContext } from "./story.js";
import {
  clamp,
  colorOf,
  isOn,
  type ParagraphStyle,
  pointsOf,
  type RunStyle,
  readRunStyle,
  shadeOf,
} from "./styles.js";
import { points } from "./text.js";
import { child, children, elementsOf, findElement, isTrue, textOf, valOf, type XmlElement } from "./xml.js";

interface GridCell {
  /** The cell's element. Null for a gap in the grid. */
  element: XmlElement | null;
  column: number;
  columns: number;
  /** Row span; 0 for a cell that the cell above covers. */
  rows: number;
  /** Whether the cell is vertically merged into the cell above. */
  isCovered: boolean;
}

interface GridRow {
  cells: GridCell[];
  isHeader: boolean;
  /** Minimum height in points; 0 if unset. */
  height: number;
}

/** Maximum number of columns. Word's own limit is 63. */
const maxColumns = 100;

/** Finds rows or cells, which may be wrapped in content controls and tracked changes. */
function* unwrapElements(parent: XmlElement, name: string): Generator<XmlElement> {
  for (const inner of elementsOf(parent)) {
    if (inner.name === name) yield inner;
    else if (["sdt", "sdtContent", "customXml", "ins", "moveTo"].includes(inner.name))
      yield* unwrapElements(inner, name);
  }
}

const spanOf = (value: string | undefined): number => clamp(Math.floor(Number(value)) || 0, 0, maxColumns);

function readRow(row: XmlElement): GridRow {
  const properties = child(row, "trPr");
  const cells: GridCell[] = [];
  let column = 0;
  const add = (element: XmlElement | null, wanted: number, isCovered: boolean): void => {
    const columns = Math.min(wanted, maxColumns - column);
    if (columns < 1) return;
    cells.push({ element, column, columns, rows: 1, isCovered });
    column += columns;
  };
  add(null, spanOf(valOf(properties, "gridBefore")), false);
  for (const cell of unwrapElements(row, "tc")) {
    const own = child(cell, "tcPr");
    const merge = child(own, "vMerge");
    const isCovered = merge !== undefined && merge.attributes.val !== "restart";
    add(cell, Math.max(1, spanOf(valOf(own, "gridSpan"))), isCovered);
  }
  return {
    cells,
    isHeader: isOn(properties, "tblHeader") ?? false,
    height: pointsOf(valOf(properties, "trHeight")) ?? 0,
  };
}

/** Reads the rows, except for rows that a tracked change deletes. */
function readRows(table: XmlElement): GridRow[] {
  const isDeleted = (row: XmlElement): boolean => child(child(row, "trPr"), "del") !== undefined;
  const rows = [...unwrapElements(table, "tr")].filter((row) => !isDeleted(row)).map(readRow);
  for (const [at, { cells }] of rows.entries()) for (const cell of cells) mergeDown(rows, at, cell);
  return rows;
}

const endOf = (cells: readonly GridCell[]): number => {
  const last = cells.at(-1);
  return last ? last.column + last.columns : 0;
};

/** Computes the row span of a cell from the covered cells below it. A gap in the grid covers nothing. */
function mergeDown(rows: readonly GridRow[], at: number, cell: GridCell): void {
  if (cell.rows === 0 || !cell.element) return;
  cell.isCovered = false;
  for (let below = at + 1; below < rows.length; below++) {
    const next = rows[below]?.cells.find(({ column }) => column === cell.column);
    if (!next?.isCovered || next.columns !== cell.columns) return;
    next.rows = 0;
    cell.rows++;
  }
}

/** Returns the widths of columns within the available width, by the grid, or equal ones if the grid is incomplete. */
function columnWidths(table: XmlElement, rows: readonly GridRow[], available: number): number[] {
  const count = Math.max(0, ...rows.map(({ cells }) => endOf(cells)));
  const grid = children(child(table, "tblGrid"), "gridCol")
    .slice(0, count)
    .map(({ attributes }) => pointsOf(attributes.w) ?? 0);
  const isComplete = grid.length === count && grid.every((width) => width > 6);
  const widths = isComplete ? grid : Array.from({ length: count }, () => available / count);
  const sum = widths.reduce((total, width) => total + width, 0);
  const { type, w = "" } = child(child(table, "tblPr"), "tblW")?.attributes ?? {};
  const percent = type === "pct" ? Number.parseFloat(w) / (w.endsWith("%") ? 1 : 50) : 0;
  const total = percent > 0 ? available * Math.min(1, percent / 100) : Math.min(available, sum);
  return widths.map((width) => (width * total) / sum);
}

export const sides = ["left", "top", "right", "bottom"] as const;
export type Side = (typeof sides)[number];
const aliases: Readonly<Record<string, string>> = { left: "start", right: "end" };

/** Writes the border of a side, or returns undefined if it is not specified. */
export function borderOf(borders: XmlElement | undefined, name: string): string | undefined {
  const edge = child(borders, `${name}`) ?? child(borders, `${aliases[name] ?? name}`);
  const kind = edge?.attributes.val;
  if (!edge || kind === undefined) return undefined;
  const width = clamp((Number(edge.attributes.sz) || 4) / 8, 0.25, 3);
  const color = colorOf(edge.attributes.color) ?? "#000000";
  return kind === "nil" || kind === "none" ? "none" : `${points(width)} + rgb("${color}")`;
}

interface TableStyle {
  /** Borders of the table and of its styles, most specific first. */
  borders: readonly (XmlElement | undefined)[];
  /** Margins of cells, of the table and of its styles, most specific first. */
  margins: readonly (XmlElement | undefined)[];
  shade: string | undefined;
  /** Look of the first row, which is empty if the table does not use it. */
  firstRow: { shade: string | undefined; run: RunStyle };
  /** Shade of the first row after the header, and of every second row from there. */
  band: string | undefined;
  /** Number of rows before the first band. */
  bandStart: number;
  run: RunStyle;
  paragraph: ParagraphStyle;
}

/** Returns whether a table uses a part of its style, which an attribute or a bit of the older mask declares. */
function usesPart(properties: XmlElement | undefined, name: string, bit: number): boolean {
  const look = child(properties, "tblLook")?.attributes;
  const own = look?.[name];
  return own === undefined ? (Number.parseInt(look?.val ?? "0", 16) & bit) !== 0 : isTrue(own);
}

function readTableStyle(table: XmlElement, { story: { styles } }: BlockContext): TableStyle {
  const own = child(table, "tblPr");
  const { sources, run, paragraph } = styles.get("table", valOf(own, "tblStyle"));
  const properties = [own, ...sources.map((source) => child(source, "tblPr"))];
  const partOf = (type: string): XmlElement | undefined =>
    sources
      .flatMap((source) => children(source, "tblStylePr"))
      .find(({ attributes }) => attributes.type === type);
  const hasFirstRow = usesPart(own, "firstRow", 0x20);
  const firstRow = hasFirstRow ? partOf("firstRow") : undefined;
  return {
    borders: properties.map((source) => child(source, "tblBorders")),
    margins: properties.map((source) => child(source, "tblCellMar")),
    shade: sources.map((source) => shadeOf(child(source, "tcPr"))).find((shade) => shade !== undefined),
    firstRow: {
      shade: shadeOf(child(firstRow, "tcPr")),
      run: readRunStyle(child(firstRow, "rPr"), styles.themeFonts),
    },
    band: usesPart(own, "noHBand", 0x200) ? undefined : shadeOf(child(partOf("band1Horz"), "tcPr")),
    bandStart: hasFirstRow ? 1 : 0,
    run,
    paragraph,
  };
}

/** Maximum number of header rows. A higher header is not repeated. */
const maxHeaderRows = 4;
const maxHeaderLetters = 1_500;

/**
 * Counts leading header rows. Returns 0 if they cannot be repeated: without other rows, too long, or with merged cells
 * or pictures.
 */
function countHeaderRows(rows: readonly GridRow[]): number {
  const count = rows.findIndex(({ isHeader }) => !isHeader);
  const cells = rows.slice(0, Math.max(0, count)).flatMap((row) => row.cells);
  const elements = cells.flatMap(({ element }) => element ?? []);
  const hasPicture = elements.some((element) => !findElement(element, "drawing").next().done);
  const letters = elements.reduce((sum, element) => sum + textOf(element).length, 0);
  const isTooLong = count > maxHeaderRows || letters > maxHeaderLetters || hasPicture;
  return isTooLong || cells.some((cell) => cell.rows !== 1) ? 0 : Math.max(0, count);
}

/** Word's default distances between text and the sides of a cell, in points. */
const defaultPadding: Readonly<Record<Side, number>> = { left: 5.4, top: 0, right: 5.4, bottom: 0 };
const maxPadding = 40;

/** Returns the distance between text and a side of a cell, in points. The first margins that state it apply. */
function paddingOf(margins: TableStyle["margins"], side: Side): number {
  const edges = margins.map((own) => child(own, side) ?? child(own, aliases[side] ?? side));
  const stated = edges.map((edge) => pointsOf(edge?.attributes.w)).find((width) => width !== undefined);
  return clamp(stated ?? defaultPadding[side], 0, maxPadding);
}

type ReadBlocks = (elements: readonly XmlElement[], context: BlockContext) => string[];

/** Reads a table as blocks: one call, or none for a table without cells. */
export function readTable(table: XmlElement, context: BlockContext, readBlocks: ReadBlocks): string[] {
  const style = readTableStyle(table, context);
  const indent = pointsOf(child(child(table, "tblPr"), "tblInd")?.attributes.w) ?? 0;
  const left = clamp(indent, 0, context.width / 2);
  const rows = readRows(table);
  const widths = columnWidths(table, rows, context.width - left);
  if (rows.length === 0 || widths.length === 0) return [];
  const writeRow = ({ cells, height }: GridRow, y: number): string[] => [
    ...cells.flatMap((cell) =>
      cell.element && cell.rows > 0
        ? [writeCell(cell, cell.element, y, { style, widths, rowCount: rows.length, context, readBlocks })]
        : [],
    ),
    // A cell without width gives the row its minimum height.
    ...(height > 0
      ? [
          `table.cell(x: ${widths.length}, y: ${y}, inset: 0pt, block(height: ${points(Math.min(height, context.height / 2))})),`,
        ]
      : []),
  ];
  const calls = rows.map((row, y) => writeRow(row, y).join("\n"));
  const headers = countHeaderRows(rows);
  const columns = widths.map((width) => `${points(width)}, `).join("");
  const header = headers > 0 ? `table.header(\n${calls.slice(0, headers).join("\n")}),\n` : "";
  return [
    `pad(left: ${points(Math.max(0, left - paddingOf(style.margins, "left")))}, table(columns: (${columns}0pt), stroke: none,\n${header}${calls.slice(headers).join("\n")}))`,
  ];
}

interface TableContext {
  style: TableStyle;
  widths: readonly number[];
  rowCount: number;
  context: BlockContext;
  readBlocks: ReadBlocks;
}

function writeCell(cell: GridCell, element: XmlElement, y: number, setting: TableContext): string {
  const { style, widths, context, rowCount } = setting;
  const { column, columns, rows } = cell;
  const properties = child(element, "tcPr");
  const isBand = y >= style.bandStart && (y - style.bandStart) % 2 === 0;
  const ofRow = (y === 0 ? style.firstRow.shade : undefined) ?? (isBand ? style.band : undefined);
  const shade = shadeOf(properties) ?? ofRow ?? style.shade;
  const margins = [child(properties, "tcMar"), ...style.margins];
  const [left, right] = [paddingOf(margins, "left"), paddingOf(margins, "right")];
  const width =
    widths.slice(column, column + columns).reduce((sum, columnWidth) => sum + columnWidth, 0) - left - right;
  const blocks = setting.readBlocks(elementsOf(element), {
    ...context,
    depth: context.depth + 1,
    width: Math.max(10, width),
    height: context.height * 0.85,
    run: { ...context.run, ...style.run, ...(y === 0 && style.firstRow.run) },
    paragraph: style.paragraph,
    background: shade ?? context.background,
  });
  const isOuter: Readonly<Record<Side, boolean>> = {
    left: column === 0,
    top: y === 0,
    right: column + columns === widths.length,
    bottom: y + rows === rowCount,
  };
  const own = child(properties, "tcBorders");
  const stroke = sides.map((side) => {
    const inner = side === "left" || side === "right" ? "insideV" : "insideH";
    const ofTable = style.borders.map((borders) => borderOf(borders, isOuter[side] ? side : inner));
    return `${side}: ${[borderOf(own, side), ...ofTable].find((border) => border !== undefined) ?? "none"}`;
  });
  const vertical = { center: "horizon", bottom: "bottom" }[valOf(properties, "vAlign") ?? ""] ?? "top";
  const fill = shade && shade !== "#ffffff" ? `fill: rgb("${shade}"), ` : "";
  const inset = sides.map((side) => `${side}: ${points(paddingOf(margins, side))}`).join(", ");
  return `table.cell(x: ${column}, y: ${y}, colspan: ${columns}, rowspan: ${rows}, ${fill}inset: (${inset}), align: ${vertical} + left, stroke: (${stroke.join(", ")}), [#{ ${blocks.join("\n")} }]),`;
}
