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
  /** Null for a gap in the grid. */
  element: XmlElement | null;
  column: number;
  columns: number;
  /** Row span; 0 for a cell covered by the one above. */
  rows: number;
  /** Vertically merged into the cell above. */
  isCovered: boolean;
}

interface GridRow {
  cells: GridCell[];
  isHeader: boolean;
  /** Minimum height in points; 0 if unset. */
  height: number;
}

/** Word's own limit is 63. */
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

/** Returns the widths of columns, from the grid or else from the cells, within the available width. */
function columnWidths(table: XmlElement, rows: readonly GridRow[], available: number): number[] {
  const count = Math.max(0, ...rows.map(({ cells }) => endOf(cells)));
  const grid = children(child(table, "tblGrid"), "gridCol").map(
    ({ attributes }) => pointsOf(attributes.w) ?? 0,
  );
  const isComplete = (widths: readonly number[]): boolean =>
    widths.length === count && widths.every((width) => width > 6);
  const ofCells = Array.from({ length: count }, () => 0);
  for (const { element, column, columns } of rows.flatMap(({ cells }) => cells)) {
    const asked = child(child(element ?? undefined, "tcPr"), "tcW")?.attributes;
    const width = asked?.type === "dxa" ? (pointsOf(asked.w) ?? 0) : 0;
    if (columns === 1) ofCells[column] = Math.max(ofCells[column] ?? 0, width);
  }
  const equal = ofCells.map(() => available / count);
  const widths = [grid.slice(0, count), ofCells].find(isComplete) ?? equal;
  const sum = widths.reduce((total, width) => total + width, 0);
  const wanted = child(child(table, "tblPr"), "tblW")?.attributes;
  const percent = wanted?.type === "pct" ? Number.parseFloat(wanted.w ?? "") : 0;
  const share = wanted?.w?.endsWith("%") ? percent / 100 : percent / 5_000;
  const total = share > 0 ? available * Math.min(1, share) : Math.min(sum, available);
  return widths.map((width) => (width * total) / sum);
}

const sides = ["left", "top", "right", "bottom"] as const;
type Side = (typeof sides)[number];
const aliases: Readonly<Record<string, string>> = { left: "start", right: "end" };

/** Writes the border of a side, or returns undefined if it is not specified. */
function borderOf(borders: XmlElement | undefined, name: string): string | undefined {
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
  shade: string | undefined;
  run: RunStyle;
  paragraph: ParagraphStyle;
  /** Shade and text of the first row, if the table distinguishes it. */
  first: { shade: string | undefined; run: RunStyle };
}

function readTableStyle(table: XmlElement, { story: { styles } }: BlockContext): TableStyle {
  const own = child(table, "tblPr");
  const { sources, run, paragraph } = styles.get("table", valOf(own, "tblStyle"));
  const look = child(own, "tblLook")?.attributes;
  const hasFirstRow = look?.firstRow
    ? isTrue(look.firstRow)
    : (Number.parseInt(look?.val ?? "0", 16) & 0x20) !== 0;
  const first = sources
    .flatMap((source) => children(source, "tblStylePr"))
    .find(({ attributes }) => hasFirstRow && attributes.type === "firstRow");
  return {
    borders: [own, ...sources.map((source) => child(source, "tblPr"))].map((properties) =>
      child(properties, "tblBorders"),
    ),
    shade: sources.map((source) => shadeOf(child(source, "tcPr"))).find((shade) => shade !== undefined),
    run,
    paragraph,
    first: {
      shade: shadeOf(child(first, "tcPr")),
      run: readRunStyle(child(first, "rPr"), styles.themeFonts),
    },
  };
}

/** Longer header rows are not repeated. */
const maxHeaderLetters = 1_500;
const maxHeaderRows = 4;

/** Counts leading header rows. Returns 0 if they cannot be repeated: without other rows, too long, or with merged cells. */
function countHeaderRows(rows: readonly GridRow[]): number {
  const count = rows.findIndex(({ isHeader }) => !isHeader);
  if (count < 1 || count > maxHeaderRows) return 0;
  const cells = rows.slice(0, count).flatMap((row, at) => row.cells.map((cell) => ({ ...cell, at })));
  const reachesOut = cells.some(({ rows: span, at }) => at + span > count);
  const elements = cells.flatMap(({ element }) => element ?? []);
  const length = elements.reduce((sum, element) => sum + textOf(element).length, 0);
  const hasPicture = elements.some((element) =>
    ["drawing", "pict"].some((name) => !findElement(element, name).next().done),
  );
  return reachesOut || length > maxHeaderLetters || hasPicture ? 0 : count;
}

/** Word's default distances between text and the sides of a cell, in points. */
const padding = { x: 5.4, y: 0 };

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
    // A cell of no width gives the row its minimum height.
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
    `pad(left: ${points(Math.max(0, left - padding.x))}, table(columns: (${columns}0pt), stroke: none, inset: (x: ${padding.x}pt, y: ${padding.y}pt),\n${header}${calls.slice(headers).join("\n")}))`,
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
  const first = y === 0 ? style.first : { shade: undefined, run: {} };
  const shade = shadeOf(properties) ?? first.shade ?? style.shade;
  const width =
    widths.slice(column, column + columns).reduce((sum, columnWidth) => sum + columnWidth, 0) -
    2 * padding.x -
    1;
  const blocks = setting.readBlocks(elementsOf(element), {
    ...context,
    depth: context.depth + 1,
    width: Math.max(10, width),
    height: context.height * 0.85,
    run: { ...context.run, ...style.run, ...first.run },
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
  return `table.cell(x: ${column}, y: ${y}, colspan: ${columns}, rowspan: ${rows}, ${fill}align: ${vertical} + left, stroke: (${stroke.join(", ")}), [#{ ${blocks.join("\n")} }]),`;
}
