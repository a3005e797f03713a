/**
 * An account's whole state: tables of records, each record kept as its JSON text. Text cannot be changed behind
 * the store's back, takes a third of the memory of objects, and is the form that the journal needs anyway.
 */
import { addRow, type Row, type Table, textsOf, type Undo, undoAll } from "./rows.js";

/** A change `[table, id, text]`. A null text deletes the record. */
export type Change = readonly [table: string, id: string, text: string | null];
export type Tables = Record<string, Record<string, unknown>>;

/** Length of an undo up to which a linear search is faster than a set. */
const maxComparedLength = 32;

/**
 * Returns the text. V8 builds a text from pieces, which stay in memory with it until a character is read: they were a
 * third of the objects that a request left behind.
 */
const inOnePiece = (text: string): string => (text.charCodeAt(0) >= 0 ? text : "");

export class State {
  readonly #tables = new Map<string, Table>();
  /** Changes of the open commit in order, or null if no commit is open. */
  #changed: (Row | string | null | undefined)[] | null = null;
  begin(): void {
    this.#changed = [];
  }

  /** Changes that undo the open commit so far, for callers that may undo it after its end. */
  get undo(): Undo {
    return this.#changed ?? [];
  }

  /** Ends the commit. Returns each changed record once, with its last text. */
  end(): Change[] {
    const changes: Change[] = [];
    const changed = this.#changed ?? [];
    const seen = changed.length > maxComparedLength ? new Set<unknown>() : null;
    for (let i = 0; i < changed.length; i += 2) {
      const row = changed[i] as Row;
      if (seen ? seen.has(row) : changed.indexOf(row) < i) continue;
      seen?.add(row);
      const { table, id, text } = row;
      if (text === null) table.rows.delete(id);
      changes.push([table.name, id, text]);
    }
    this.#changed = null;
    return changes;
  }

  /** Whether the open commit has changed anything. */
  get changed(): boolean {
    return this.#changed !== null && this.#changed.length > 0;
  }

  rollback(): void {
    undoAll(this.#changed ?? []);
    this.#changed = null;
  }

  get<T>(table: string, id: string): T | undefined {
    const text = this.text(table, id);
    return text === null ? undefined : (JSON.parse(text) as T);
  }

  text(table: string, id: string): string | null {
    return this.#tables.get(table)?.rows.get(id)?.text ?? null;
  }

  has(table: string, id: string): boolean {
    return this.text(table, id) !== null;
  }

  /** Number of records in all tables. */
  get recordCount(): number {
    let count = 0;
    for (const { size } of this.#tables.values()) count += size;
    return count;
  }

  size(table: string): number {
    return this.#tables.get(table)?.size ?? 0;
  }

  put(name: string, id: string, value: unknown): void {
    this.putText(name, id, JSON.stringify(value));
  }

  /** Puts a record given as JSON text. Used for records that change with nearly every call. */
  putText(name: string, id: string, text: string): void {
    const table = this.#table(name);
    const known = table.rows.get(id);
    const row = known ?? addRow(table, id);
    this.#remember(row, known?.text);
    if (row.text === null) table.size++;
    row.text = inOnePiece(text);
  }

  delete(name: string, id: string): boolean {
    const table = this.#tables.get(name);
    const row = table?.rows.get(id);
    if (!table || !row || row.text === null) return false;
    this.#remember(row, row.text);
    table.size--;
    row.text = null;
    return true;
  }

  /**
   * Inside a commit: removes the oldest records of a log, many at a time. Removing them one at a time gets slower,
   * because a Map keeps the slots of deleted entries, which a search for its first entry has to skip.
   */
  trim(table: string, limit: number, mayGo: (text: string) => boolean = () => true): void {
    const spare = Math.ceil(limit / 10);
    if (this.size(table) <= limit + spare) return;
    const oldest = [];
    for (const id of this.ids(table)) {
      if (oldest.length === spare) break;
      oldest.push(id);
    }
    for (const id of oldest) if (mayGo(this.text(table, id) ?? "")) this.delete(table, id);
  }

  /** Yields ids in the order in which the records were first put. */
  *ids(table: string): Generator<string> {
    for (const [id, { text }] of this.#tables.get(table)?.rows ?? []) if (text !== null) yield id;
  }

  tables(): Iterable<string> {
    return this.#tables.keys();
  }

  /**
   * Yields the records as of the first iteration, newest first. `containing` filters by a substring of the text before
   * it is parsed.
   */
  *newest<T>(table: string, containing = ""): Generator<T> {
    const texts = textsOf(this.#tables.get(table)?.rows);
    for (let i = texts.length - 1; i >= 0; i--) {
      const text = texts[i];
      if (text?.includes(containing)) yield JSON.parse(text) as T;
    }
  }

  /** Loads a text that was read from disk, outside of commits. */
  load(name: string, id: string, text: string | null): void {
    const table = this.#table(name);
    const row = table.rows.get(id);
    table.size += Number(text !== null) - Number(row !== undefined);
    if (text === null) table.rows.delete(id);
    else (row ?? addRow(table, id)).text = text;
  }

  /** Returns the changes that recreate the current state. */
  everything(): Iterable<Change> {
    const tables = [...this.#tables.keys()].map((name) => [name, this.entries(name)] as const);
    return (function* () {
      for (const [name, entries] of tables) for (const [id, text] of entries) yield [name, id, text];
    })();
  }

  /** Returns the current records of a table, which are read lazily. */
  entries(name: string): Iterable<readonly [id: string, text: string]> {
    const rows = [...(this.#tables.get(name)?.rows.values() ?? [])];
    const texts = rows.map(({ text }) => text);
    return (function* () {
      for (const [i, { id }] of rows.entries()) {
        const text = texts[i];
        if (typeof text === "string") yield [id, text];
      }
    })();
  }

  /** Takes over the tables of another state, which must not be used any more. */
  takeFrom(other: State): void {
    this.#tables.clear();
    for (const [name, table] of other.#tables) this.#tables.set(name, table);
  }

  clear(): void {
    this.#tables.clear();
  }

  /** Returns the state as a human-readable document. The same state gives the same bytes. */
  document(): Tables {
    const document: Tables = {};
    for (const { name, rows, size } of this.#tables.values()) {
      if (size === 0) continue;
      const records: Record<string, unknown> = {};
      for (const [id, { text }] of rows) if (text !== null) records[id] = JSON.parse(text);
      document[name] = records;
    }
    return document;
  }

  #table(name: string): Table {
    let table = this.#tables.get(name);
    if (!table) {
      table = { name, rows: new Map(), size: 0, nextOrder: 0 };
      this.#tables.set(name, table);
    }
    return table;
  }

  #remember(row: Row, before: string | null | undefined): void {
    if (!this.#changed) throw new Error(`${row.table.name}/${row.id} was changed outside a commit`);
    this.#changed.push(row, before);
  }
}

/** Returns the changes that replace any previous state with the current one. */
export function wholeState(state: State): Iterable<Change> {
  const everything = state.everything();
  return (function* () {
    yield ["*", "*", null];
    yield* everything;
  })();
}
