/** The records of a state: rows of tables, and how changes of them are undone. */

import type { NamedTable } from "./table.js";

export interface Row {
  readonly table: StoredTable;
  readonly id: string;
  /** Null marks a record that the open commit has deleted, so that a rollback restores its position. */
  text: string | null;
  /** Position among the records of the table. It tells where an undone deletion belongs. */
  readonly order: number;
}

/** Records in order. */
export type Rows = Map<string, Row>;

export interface StoredTable {
  readonly name: string;
  rows: Rows;
  /** Number of records, without those that the open commit has deleted. */
  size: number;
  /** Order of the next new record. */
  nextOrder: number;
}

/**
 * The undo of a commit: for each change its record and, alternating, the text before it, or undefined if the record did
 * not exist. Flat, because it is kept for many commits.
 */
export type Undo = readonly (Row | string | null | undefined)[];

/** Returns the ids of the records of a table that the commit has changed, once for each change. */
export function changedIds(undo: Undo, { name }: NamedTable): string[] {
  const ids: string[] = [];
  for (let i = 0; i < undo.length; i += 2) {
    const { table, id } = undo[i] as Row;
    if (table.name === name) ids.push(id);
  }
  return ids;
}

/** Adds an empty record at the end of the table. */
export function addRow(table: StoredTable, id: string): Row {
  const row: Row = { table, id, text: null, order: table.nextOrder++ };
  table.rows.set(id, row);
  return row;
}

/** Returns the current texts, which later changes do not affect. */
export function textsOf(rows: Rows | undefined): (string | null)[] {
  const texts: (string | null)[] = [];
  for (const { text } of rows?.values() ?? []) texts.push(text);
  return texts;
}

/** Undoes a commit. No later change may be left. */
export function undoAll(undo: Undo): void {
  const unordered = new Set<StoredTable>();
  for (let i = undo.length - 2; i >= 0; i -= 2) {
    const row = undo[i] as Row;
    const before = undo[i + 1] as string | null | undefined;
    const { table, id } = row;
    table.size += Number(typeof before === "string") - Number(row.text !== null);
    row.text = before ?? null;
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
