/** Places the cells of a table on its grid, with column and row spans. */
import { clamp, pointsOf } from "./run-style.js";
import { child, children, elementsOf, isTrue, valOf, type XmlElement } from "./xml.js";

export interface GridCell {
  element: XmlElement | null;
  column: number;
  columns: number;
  /** Row span; 0 for a cell covered by the one above. */
  rows: number;
  /** Vertically merged into the cell above. */
  isCovered: boolean;
}

export interface GridRow {
  cells: GridCell[];
  isHeader: boolean;
  /** Minimum height in points; 0 if unset. */
  height: number;
}

export interface TableGrid {
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

export function readGrid(table: XmlElement, available: number): TableGrid {
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
