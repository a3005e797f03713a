/**
 * Declares the tables of an account. A table is declared once, beside the code that owns its records, and is how that code
 * reads and writes them. Only this folder knows that records are stored as JSON texts.
 */

import { declareLog } from "./rows.js";

/** The facts about a table that the store needs. Its name is part of the stored format. */
export interface NamedTable {
  readonly name: string;
}

/** A table whose records have the types of `Rows`, by id. Records can be searched by the fields of `Index`. */
export interface Table<Rows extends object, Index = never> extends NamedTable {
  readonly index?: readonly string[] | undefined;
  /** Exists only as a type and never has a value. */
  readonly stored?: { rows: Rows; index: Index };
}

/** The table of the account's own records, which every account has. */
export const ownTable: Table<Record<string, unknown>> = { name: "account" };

interface TableOptions<Index> {
  /** Fields by which records are searched. They are looked for in the stored text, and only matching records are parsed. */
  index?: readonly Index[];
  /** Whether activities omit the records of the table from what they wrote. Default: false. */
  internal?: boolean;
  /**
   * Noun for the records, in the plural, if the table is a log. When all accounts together exceed a log's total, its
   * oldest records are removed. Default: no log.
   */
  log?: string;
}

const internalTables = new Set<string>();

export const isInternal = (table: string): boolean => internalTables.has(table);

/**
 * Declares a table of records of one type.
 *
 * @example
 * const events = table<SentEvent, "event">("events", { index: ["event"] });
 * state.newest(events, { event: "payment.received" });
 */
export const table = <T, Index extends keyof T & string = never>(
  name: string,
  { internal = false, log, ...options }: TableOptions<Index> = {},
): Table<Record<string, T>, Index> => {
  if (internal) internalTables.add(name);
  if (log !== undefined) declareLog(name, log);
  return { name, ...options };
};

/** Declares a table whose records have fixed ids, each with its own type. */
export const fixedTable = <Rows extends object>(
  name: string,
  { internal = false }: Pick<TableOptions<never>, "internal"> = {},
): Table<Rows> => {
  if (internal) internalTables.add(name);
  return { name };
};

/** Values of indexed fields: one value, several of which one must match, or undefined for any. */
export type Where<T, Index> = { readonly [F in Index & keyof T]?: T[F] | readonly T[F][] | undefined };

/** Returns whether the JSON text of a record may match. Much faster than parsing the record, with few false positives. */
type TextTest = (text: string) => boolean;

/** Returns a function that parses a record's text if the record matches, and returns undefined otherwise. */
export function finderOf<T>(where: object): (text: string) => T | undefined {
  const wanted = Object.entries(where).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, values: [value].flat() as unknown[] }],
  );
  const tests = wanted.map(({ field, values }): TextTest => {
    const members = values.map((value) => `${JSON.stringify(field)}:${JSON.stringify(value)}`);
    return (text) => members.some((member) => text.includes(member));
  });
  return (text) => {
    if (!tests.every((test) => test(text))) return undefined;
    const record = JSON.parse(text);
    return wanted.every(({ field, values }) => values.includes(record[field])) ? record : undefined;
  };
}
