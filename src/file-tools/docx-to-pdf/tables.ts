/** Converts a table, with merged cells, borders, shading and repeated header rows. */

import type { Border, TableBlock, TableCell } from "./nodes.js";
import type { BlockContext } from "./story.js";
import {
  clamp,
  colorOf,
  type ParagraphStyle,
  pointsOf,
  type RunStyle,
  readParagraphStyle,
  readRunStyle,
  type Styles,
  shadeOf,
} from "./styles.js";
import { child, children, elementsOf, findElement, isTrue, textOf, valOf, type XmlElement } from "./xml.js";

interface GridCell {
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

interface TableGrid {
  rows: GridRow[];
  /** Column widths in points. */
  widths: number[];
}

/** Word's own limit is 63. */
const maxColumns = 100;

/** Finds rows or cells, which may be wrapped in content controls and tracked changes. */
function* unwrapElements(parent: XmlElement, name: string): Generator<XmlElement> {
  for (const one of elementsOf(parent)) {
    if (one.name === name) yield one;
    else if (["w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo"].includes(one.name))
      yield* unwrapElements(one, name);
  }
}

const spanOf = (value: string | undefined): number => clamp(Math.floor(Number(value)) || 0, 0, maxColumns);

function readRow(row: XmlElement): GridRow {
  const properties = child(row, "w:trPr");
  const cells: GridCell[] = [];
  let column = 0;
  const add = (element: XmlElement | null, wanted: number, isCovered: boolean): void => {
    const columns = Math.min(wanted, maxColumns - column);
    if (columns < 1) return;
    cells.push({ element, column, columns, rows: 1, isCovered });
    column += columns;
  };
  add(null, spanOf(valOf(properties, "w:gridBefore")), false);
  for (const cell of unwrapElements(row, "w:tc")) {
    const own = child(cell, "w:tcPr");
    const merge = child(own, "w:vMerge");
    const isCovered = merge !== undefined && merge.attributes["w:val"] !== "restart";
    add(cell, Math.max(1, spanOf(valOf(own, "w:gridSpan"))), isCovered);
  }
  const header = child(properties, "w:tblHeader");
  return {
    cells,
    isHeader:
      header !== undefined &&
      (header.attributes["w:val"] === undefined || isTrue(header.attributes["w:val"])),
    height: pointsOf(valOf(properties, "w:trHeight")) ?? 0,
  };
}

/** Returns whether a tracked change deletes the row. */
const isDeleted = (row: XmlElement): boolean => child(child(row, "w:trPr"), "w:del") !== undefined;

function readGrid(table: XmlElement, available: number): TableGrid {
  const rows = [...unwrapElements(table, "w:tr")].filter((row) => !isDeleted(row)).map(readRow);
  const count = Math.max(0, ...rows.map(({ cells }) => endOf(cells)));
  for (const { cells } of rows) {
    const end = endOf(cells);
    if (end < count)
      cells.push({ element: null, column: end, columns: count - end, rows: 1, isCovered: false });
  }
  for (const [at, { cells }] of rows.entries()) for (const cell of cells) mergeDown(rows, at, cell);
  return { rows, widths: columnWidths(table, rows, count, available) };
}

function endOf(cells: readonly GridCell[]): number {
  const last = cells.at(-1);
  return last ? last.column + last.columns : 0;
}

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

function columnWidths(
  table: XmlElement,
  rows: readonly GridRow[],
  count: number,
  available: number,
): number[] {
  const told = children(child(table, "w:tblGrid"), "w:gridCol").map(
    ({ attributes }) => pointsOf(attributes["w:w"]) ?? 0,
  );
  const isTold = told.length >= count && told.slice(0, count).every((width) => width > 6);
  const widths = isTold ? told.slice(0, count) : cellWidths(rows, count, available);
  const sum = widths.reduce((total, width) => total + width, 0);
  const wanted = child(child(table, "w:tblPr"), "w:tblW")?.attributes;
  const percent = wanted?.["w:type"] === "pct" ? Number.parseFloat(wanted["w:w"] ?? "") : 0;
  const share = wanted?.["w:w"]?.endsWith("%") ? percent / 100 : percent / 5_000;
  const total = share > 0 ? available * Math.min(1, share) : Math.min(sum, available);
  return widths.map((width) => (width * total) / sum);
}

/** Uses the preferred widths of cells if the grid is missing, or equal widths if those are incomplete. */
function cellWidths(rows: readonly GridRow[], count: number, available: number): number[] {
  const widths = Array.from({ length: count }, () => 0);
  for (const { cells } of rows)
    for (const { element, column, columns } of cells) {
      const asked = child(child(element ?? undefined, "w:tcPr"), "w:tcW")?.attributes;
      const points = asked?.["w:type"] === "dxa" ? (pointsOf(asked["w:w"]) ?? 0) : 0;
      if (columns === 1) widths[column] = Math.max(widths[column] ?? 0, points);
    }
  const isComplete = widths.every((width) => width > 6);
  return isComplete ? widths : widths.map(() => available / count);
}

type BorderSide = "left" | "top" | "right" | "bottom";

interface BorderLine {
  isDrawn: boolean;
  color: string;
}

interface TableStyle {
  /** Returns the border of a cell's side. `isOuter`: on the edge of the table. */
  border(side: BorderSide, isOuter: boolean): BorderLine;
  lineWidth: number;
  padding: Record<BorderSide, number>;
  shade: string | undefined;
  firstRow: { shade: string | undefined; run: RunStyle };
  /** Shade of every second row. */
  band: string | undefined;
  run: RunStyle;
  paragraph: ParagraphStyle;
}

const sideAliases: Readonly<Record<string, string>> = { left: "start", right: "end" };

/** Returns the border of a side, or undefined if it is not specified. */
export function readBorder(borders: XmlElement | undefined, name: string): BorderLine | undefined {
  const edge = child(borders, `w:${name}`) ?? child(borders, `w:${sideAliases[name] ?? name}`);
  const kind = edge?.attributes["w:val"];
  if (!edge || kind === undefined) return undefined;
  return {
    isDrawn: kind !== "nil" && kind !== "none",
    color: colorOf(edge.attributes["w:color"]) ?? "#000000",
  };
}

const noBorder: BorderLine = { isDrawn: false, color: "#000000" };

function paddingOf(properties: readonly XmlElement[], side: BorderSide): number {
  for (const one of properties) {
    const margins = child(one, "w:tblCellMar");
    const edge = child(margins, `w:${side}`) ?? child(margins, `w:${sideAliases[side] ?? side}`);
    const points = pointsOf(edge?.attributes["w:w"]);
    if (points !== undefined) return clamp(points, 0, 40);
  }
  return side === "left" || side === "right" ? 5.4 : 0;
}

/** Returns whether the table uses a conditional format, declared by an attribute or a bit of the older mask. */
function usesConditional(properties: XmlElement | undefined, name: string, bit: number): boolean {
  const look = child(properties, "w:tblLook")?.attributes;
  const own = look?.[`w:${name}`];
  return own === undefined ? (Number.parseInt(look?.["w:val"] ?? "0", 16) & bit) !== 0 : isTrue(own);
}

function readTableStyle(table: XmlElement, styles: Styles): TableStyle {
  const own = child(table, "w:tblPr");
  const style = styles.get("table", valOf(own, "w:tblStyle"));
  const properties = [own, ...style.sources.map((one) => child(one, "w:tblPr"))].filter(
    (one) => one !== undefined,
  );
  const borders = properties.map((one) => child(one, "w:tblBorders"));
  const conditional = (type: string): XmlElement | undefined =>
    style.sources
      .flatMap((one) => children(one, "w:tblStylePr"))
      .find(({ attributes }) => attributes["w:type"] === type);
  const first = usesConditional(own, "firstRow", 0x20) ? conditional("firstRow") : undefined;
  const hasBands = !usesConditional(own, "noHBand", 0x200);
  const width = borders
    .map((one) => Number(child(one, "w:top")?.attributes["w:sz"]))
    .find((size) => size > 0);

  return {
    border(side, isOuter) {
      const inner = side === "left" || side === "right" ? "insideV" : "insideH";
      for (const one of borders) {
        const line = readBorder(one, isOuter ? side : inner);
        if (line) return line;
      }
      return noBorder;
    },
    lineWidth: clamp((width ?? 4) / 8, 0.25, 3),
    padding: {
      left: paddingOf(properties, "left"),
      top: paddingOf(properties, "top"),
      right: paddingOf(properties, "right"),
      bottom: paddingOf(properties, "bottom"),
    },
    shade: style.sources.map((one) => shadeOf(child(one, "w:tcPr"))).find((one) => one !== undefined),
    firstRow: {
      shade: shadeOf(child(first, "w:tcPr")),
      run: readRunStyle(child(first, "w:rPr"), styles.themeFonts),
    },
    band: hasBands ? shadeOf(child(conditional("band1Horz"), "w:tcPr")) : undefined,
    run: style.run,
    paragraph: style.paragraph.list ? {} : readAll(style.sources),
  };
}

const readAll = (sources: readonly XmlElement[]): ParagraphStyle =>
  Object.assign({}, ...sources.map((one) => readParagraphStyle(child(one, "w:pPr"))).toReversed());

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
          ? [readCell(cell, cell.element, y, { style, widths, rowCount: rows.length, context })]
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
