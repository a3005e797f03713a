/** The records of a state: rows of tables, and how their changes are undone. */

import { Total, usualLimit } from "./total.js";

export interface Row {
  readonly table: StoredTable;
  readonly id: string;
  /** JSON text of the record. Null if the open commit has deleted the record, whose position a rollback restores. */
  text: string | null;
  /** Position among the records of the table. It tells where an undone deletion belongs. */
  readonly order: number;
  /** Number of the record in the total of its table. 0 if it is not counted there. */
  counted: number;
}

/** Records in order. */
export type Rows = Map<string, Row>;

export interface StoredTable {
  readonly name: string;
  rows: Rows;
  /** Number of records, except for records that the open commit has deleted. */
  size: number;
  /** Order of the next new record. */
  nextOrder: number;
  /** Total of the tables with this name in all accounts. Null if they have none. */
  readonly total: Total<Row> | null;
  /** Called with a record that exceeds the total and must be removed. */
  onExcess(row: Row): void;
}

/** Estimated size in bytes of a record without its text. */
const rowBytes = 400;

/** Totals of logs over all accounts, by the names of their tables. */
const totals = new Map<string, Total<Row>>();

/** Returns the total of the tables with this name, or null if they have none. */
export const totalOf = (table: string): Total<Row> | null => totals.get(table) ?? null;

/** Gives the tables with this name a total over all accounts. `what` is a noun for their records, in the plural. */
export function declareLog(table: string, what: string): void {
  const drop = (row: Row): void => {
    row.counted = 0;
    row.table.onExcess(row);
  };
  totals.set(table, new Total(what, usualLimit, drop));
}

/** Changes the text of a record. A changed record is as new as an added one. */
export function setText(row: Row, text: string | null): void {
  row.text = text;
  const { total } = row.table;
  if (!total) return;
  if (row.counted > 0) total.release(row.counted);
  row.counted = 0;
  if (text !== null) row.counted = total.add(row, rowBytes + text.length);
}

/**
 * Undo of a commit: alternately the record of each change and its earlier text, or undefined if the record did not
 * exist. The list is flat because it is kept for many commits.
 */
export type Undo = readonly (Row | string | null | undefined)[];

/** Returns the ids of the records of a table that the commit has changed, once for each change. */
export function changedIds(undo: Undo, { name }: Pick<StoredTable, "name">): string[] {
  const ids: string[] = [];
  for (let i = 0; i < undo.length; i += 2) {
    const { table, id } = undo[i] as Row;
    if (table.name === name) ids.push(id);
  }
  return ids;
}

/** Adds an empty record at the end of the table. */
export function addRow(table: StoredTable, id: string): Row {
  const row: Row = { table, id, text: null, order: table.nextOrder++, counted: 0 };
  table.rows.set(id, row);
  return row;
}

/** Returns the current texts, which later changes do not affect. */
export function textsOf(rows: Rows | undefined): (string | null)[] {
  const texts: (string | null)[] = [];
  for (const { text } of rows?.values() ?? []) texts.push(text);
  return texts;
}

/** Undoes a commit. All later changes must have been undone before. */
export function undoAll(undo: Undo): void {
  const unordered = new Set<StoredTable>();
  for (let i = undo.length - 2; i >= 0; i -= 2) {
    const row = undo[i] as Row;
    const before = undo[i + 1] as string | null | undefined;
    const { table, id } = row;
    table.size += Number(typeof before === "string") - Number(row.text !== null);
    setText(row, before ?? null);
    if (before === undefined) table.rows.delete(id);
    else if (!table.rows.has(id)) {
      table.rows.set(id, row);
      unordered.add(table);
    }
  }
  for (const table of unordered) restoreOrder(table);
}

/** Moves records that were put back at the end of the table to their positions. */
function restoreOrder(table: StoredTable): void {
  table.rows = new Map([...table.rows].sort(([, one], [, other]) => one.order - other.order));
}
