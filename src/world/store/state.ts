/**
 * An account's whole state: tables of records, each record kept as its JSON text. Text cannot be changed behind
 * the store's back, takes a third of the memory of objects, and is the form that the journal needs anyway.
 */
import { addRow, type Row, type StoredTable, setText, textsOf, totalOf, type Undo, undoAll } from "./rows.js";
import { finderOf, type NamedTable, type Table, type Where } from "./table.js";

type RecordOf<Rows> = Rows[keyof Rows];

/** A change `[table, id, text]`. A null text deletes the record. */
export type Change = readonly [table: string, id: string, text: string | null];

/** Length of an undo up to which a linear search is faster than a set. */
const maxComparedLength = 32;

export class State {
  readonly #tables = new Map<string, StoredTable>();
  /** Changes of the open commit in order, or null if no commit is open. */
  #changed: (Row | string | null | undefined)[] | null = null;
  /** Records of logs that exceed their total. */
  readonly #excess = new Set<Row>();
  #onExcess: (() => void) | null = null;

  /** Called when there are records to remove that `takeExcess` returns. */
  set onExcess(callback: () => void) {
    this.#onExcess = callback;
    if (this.#excess.size > 0) callback();
  }

  /** Returns the table and id of each record that exceeds its total, once. */
  takeExcess(): [table: string, id: string][] {
    const excess = [...this.#excess];
    this.#excess.clear();
    return excess
      .filter(
        (row) => row.text !== null && row.counted === 0 && this.#tables.get(row.table.name) === row.table,
      )
      .map(({ table, id }) => [table.name, id]);
  }

  /** Stops counting the records, when the account leaves memory. */
  release(): void {
    for (const { total, rows } of this.#tables.values())
      for (const { counted } of total ? rows.values() : []) if (counted > 0) total?.release(counted);
  }

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

  get<Rows extends object, Id extends keyof Rows & string>(
    table: Table<Rows, unknown>,
    id: Id,
  ): Rows[Id] | undefined {
    const text = this.text(table, id);
    return text === null ? undefined : (JSON.parse(text) as Rows[Id]);
  }

  /** Returns the stored text of a record, which is the same text as long as the record is the same. */
  text({ name }: NamedTable, id: string): string | null {
    return this.#tables.get(name)?.rows.get(id)?.text ?? null;
  }

  has(table: NamedTable, id: string): boolean {
    return this.text(table, id) !== null;
  }

  /** Number of records in all tables. */
  get recordCount(): number {
    let count = 0;
    for (const { size } of this.#tables.values()) count += size;
    return count;
  }

  size({ name }: NamedTable): number {
    return this.#tables.get(name)?.size ?? 0;
  }

  put<Rows extends object, Id extends keyof Rows & string>(
    { name }: Table<Rows, unknown>,
    id: Id,
    value: Rows[Id],
  ): void {
    const table = this.#table(name);
    const known = table.rows.get(id);
    const row = known ?? addRow(table, id);
    this.#remember(row, known?.text);
    if (row.text === null) table.size++;
    setText(row, JSON.stringify(value));
  }

  delete({ name }: NamedTable, id: string): boolean {
    const table = this.#tables.get(name);
    const row = table?.rows.get(id);
    if (!table || !row || row.text === null) return false;
    this.#remember(row, row.text);
    table.size--;
    setText(row, null);
    return true;
  }

  /**
   * Inside a commit: removes the oldest records of a log, many at a time. Removing them one at a time gets slower,
   * because a Map keeps the slots of deleted entries, which a search for its first entry has to skip. Records that match
   * `kept` stay.
   */
  trim<Rows extends object, Index>(
    table: Table<Rows, Index>,
    limit: number,
    kept?: Where<RecordOf<Rows>, Index>,
  ): void {
    const spare = Math.ceil(limit / 10);
    if (this.size(table) <= limit + spare) return;
    const oldest = [];
    for (const id of this.ids(table)) {
      if (oldest.length === spare) break;
      oldest.push(id);
    }
    const find = finderOf(kept ?? {});
    for (const id of oldest)
      if (kept === undefined || find(this.text(table, id) ?? "") === undefined) this.delete(table, id);
  }

  /** Yields ids in the order in which the records were first put. */
  *ids({ name }: NamedTable): Generator<string> {
    for (const [id, { text }] of this.#tables.get(name)?.rows ?? []) if (text !== null) yield id;
  }

  tables(): Iterable<NamedTable> {
    return this.#tables.values();
  }

  /** Yields the records that match, as of the first iteration, newest first. */
  *newest<Rows extends object, Index>(
    { name }: Table<Rows, Index>,
    where: Where<RecordOf<Rows>, Index> = {},
  ): Generator<RecordOf<Rows>> {
    const texts = textsOf(this.#tables.get(name)?.rows);
    const find = finderOf<RecordOf<Rows>>(where);
    for (let i = texts.length - 1; i >= 0; i--) {
      const text = texts[i];
      const record = typeof text === "string" ? find(text) : undefined;
      if (record !== undefined) yield record;
    }
  }

  /** Loads a text that was read from disk, outside of commits. */
  load(name: string, id: string, text: string | null): void {
    const table = this.#table(name);
    const row = table.rows.get(id);
    table.size += Number(text !== null) - Number(row !== undefined);
    if (row || text !== null) setText(row ?? addRow(table, id), text);
    if (text === null) table.rows.delete(id);
  }

  /** Loads records outside of commits. */
  fill<Rows extends object>({ name }: Table<Rows, unknown>, records: Partial<Rows>): void {
    for (const [id, record] of Object.entries(records)) this.load(name, id, JSON.stringify(record));
  }

  /** Returns the changes that recreate the current state. */
  everything(): Iterable<Change> {
    const tables = [...this.#tables.values()].map((table) => [table.name, this.entries(table)] as const);
    return (function* () {
      for (const [name, entries] of tables) for (const [id, text] of entries) yield [name, id, text];
    })();
  }

  /** Returns the current records of a table, which are read lazily. */
  entries({ name }: NamedTable): Iterable<readonly [id: string, text: string]> {
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
    this.clear();
    for (const [name, table] of other.#tables) {
      table.onExcess = (row) => this.#noteExcess(row);
      this.#tables.set(name, table);
    }
    for (const row of other.#excess) this.#noteExcess(row);
  }

  clear(): void {
    this.release();
    this.#tables.clear();
  }

  #table(name: string): StoredTable {
    let table = this.#tables.get(name);
    if (!table) {
      table = {
        name,
        rows: new Map(),
        size: 0,
        nextOrder: 0,
        total: totalOf(name),
        onExcess: (row) => this.#noteExcess(row),
      };
      this.#tables.set(name, table);
    }
    return table;
  }

  #noteExcess(row: Row): void {
    if (this.#excess.size === 0) this.#onExcess?.();
    this.#excess.add(row);
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

/** Caches a record that nearly every call reads. It is parsed again only when its text has changed. */
export class CachedRecord<Rows extends object, Id extends keyof Rows & string> {
  #id: Id | undefined;
  #text: string | null = null;
  #value: Rows[Id] | undefined;

  constructor(
    readonly state: State,
    readonly table: Table<Rows, unknown>,
  ) {}

  /** Returns the record, or undefined if there is none. Callers must change it only through `put`. */
  get(id: Id): Readonly<Rows[Id]> | undefined {
    const text = this.state.text(this.table, id);
    if (text !== this.#text || id !== this.#id) {
      this.#value = this.state.get(this.table, id);
      this.#text = text;
      this.#id = id;
    }
    return this.#value;
  }

  /** Stores the record, inside a commit. A rollback restores the old text, and with it the old value. */
  put(id: Id, value: Rows[Id]): void {
    this.state.put(this.table, id, value);
    this.#text = this.state.text(this.table, id);
    this.#id = id;
    this.#value = value;
  }
}
