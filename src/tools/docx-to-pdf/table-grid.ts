/** A table's cells on its grid of columns: which cell covers which places. */
import { clamp, pointsOf } from "./run-style.js";
import { child, children, elementsOf, isTrue, valOf, type XmlElement } from "./xml.js";

export interface GridCell {
  element: XmlElement | null;
  column: number;
  columns: number;
  /** 0 for a cell that one above covers. */
  rows: number;
  /** Covered by the cell above. */
  isCovered: boolean;
}

export interface GridRow {
  cells: GridCell[];
  isHeader: boolean;
  /** Points; 0 without. */
  height: number;
}

export interface Grid {
  rows: GridRow[];
  /** Points. */
  widths: number[];
}

/** Word knows no more than 63. */
const mostColumns = 100;

/** Rows and cells may be wrapped by content controls and tracked changes. */
function* unwrapped(parent: XmlElement, name: string): Generator<XmlElement> {
  for (const one of elementsOf(parent)) {
    if (one.name === name) yield one;
    else if (["w:sdt", "w:sdtContent", "w:customXml", "w:ins", "w:moveTo"].includes(one.name))
      yield* unwrapped(one, name);
  }
}

const spanOf = (value: string | undefined): number => clamp(Math.floor(Number(value)) || 0, 0, mostColumns);

function readRow(row: XmlElement): GridRow {
  const properties = child(row, "w:trPr");
  const cells: GridCell[] = [];
  let column = 0;
  const add = (element: XmlElement | null, wanted: number, isCovered: boolean): void => {
    const columns = Math.min(wanted, mostColumns - column);
    if (columns < 1) return;
    cells.push({ element, column, columns, rows: 1, isCovered });
    column += columns;
  };
  add(null, spanOf(valOf(properties, "w:gridBefore")), false);
  for (const cell of unwrapped(row, "w:tc")) {
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

/** A deleted row is one whose properties say so. */
const isDeleted = (row: XmlElement): boolean => child(child(row, "w:trPr"), "w:del") !== undefined;

export function readGrid(table: XmlElement, available: number): Grid {
  const rows = [...unwrapped(table, "w:tr")].filter((row) => !isDeleted(row)).map(readRow);
  const count = Math.max(0, ...rows.map(({ cells }) => endOf(cells)));
  for (const { cells } of rows) {
    const end = endOf(cells);
    if (end < count)
      cells.push({ element: null, column: end, columns: count - end, rows: 1, isCovered: false });
  }
  for (const [at, { cells }] of rows.entries()) for (const cell of cells) joinBelow(rows, at, cell);
  return { rows, widths: widthsOf(table, rows, count, available) };
}

function endOf(cells: readonly GridCell[]): number {
  const last = cells.at(-1);
  return last ? last.column + last.columns : 0;
}

/** Counts how far a cell reaches down; what no cell above covers is a cell of its own. */
function joinBelow(rows: readonly GridRow[], at: number, cell: GridCell): void {
  if (cell.rows === 0) return;
  cell.isCovered = false;
  for (let below = at + 1; below < rows.length; below++) {
    const next = rows[below]?.cells.find(({ column }) => column === cell.column);
    if (!next?.isCovered || next.columns !== cell.columns) return;
    next.rows = 0;
    cell.rows++;
  }
}

function widthsOf(table: XmlElement, rows: readonly GridRow[], count: number, available: number): number[] {
  const told = children(child(table, "w:tblGrid"), "w:gridCol").map(
    ({ attributes }) => pointsOf(attributes["w:w"]) ?? 0,
  );
  const isTold = told.length >= count && told.slice(0, count).every((width) => width > 6);
  const widths = isTold ? told.slice(0, count) : widthsOfCells(rows, count, available);
  const sum = widths.reduce((total, width) => total + width, 0);
  const wanted = child(child(table, "w:tblPr"), "w:tblW")?.attributes;
  const percent = wanted?.["w:type"] === "pct" ? Number.parseFloat(wanted["w:w"] ?? "") : 0;
  const share = wanted?.["w:w"]?.endsWith("%") ? percent / 100 : percent / 5_000;
  const total = share > 0 ? available * Math.min(1, share) : Math.min(sum, available);
  return widths.map((width) => (width * total) / sum);
}

/** Where the grid is not told, as some writers leave it: what cells ask for, and equal shares of the rest. */
function widthsOfCells(rows: readonly GridRow[], count: number, available: number): number[] {
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
