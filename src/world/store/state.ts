/**
 * An account's whole state: tables of records, each record kept as its JSON text. Text cannot be changed behind
 * the store's back, takes a third of the memory of objects, and is the form that the journal needs anyway.
 */

/** A change `[table, id, text]`. A null text deletes the record. */
export type Change = readonly [table: string, id: string, text: string | null];
export type Tables = Record<string, Record<string, unknown>>;

interface Row {
  /** Null marks a record that the open commit has deleted, so that a rollback restores its position. */
  text: string | null;
  /** Position among the records of the table. It tells where an undone deletion belongs. */
  readonly order: number;
}

/** Records in order. */
type Rows = Map<string, Row>;

interface Table {
  readonly name: string;
  rows: Rows;
  /** Number of records, without those that the open commit has deleted. */
  size: number;
  /** Order of the next new record. */
  nextOrder: number;
}

/** What undoes one change of a record. */
export interface Undo {
  readonly table: Table;
  readonly id: string;
  readonly row: Row;
  /** Text before the change, or undefined if the record did not exist. */
  readonly before: string | null | undefined;
}

/** Number of changes up to which a linear search is faster than a set. */
const maxComparedChanges = 16;

type Known = (table: Table, id: string, at: number) => boolean;

const isAmongFirst =
  (changed: readonly Undo[]): Known =>
  (table, id, at) => {
    for (let before = 0; before < at; before++) {
      const other = changed[before] as Undo;
      if (other.id === id && other.table === table) return true;
    }
    return false;
  };

function isRepeated(): Known {
  const seen = new Map<Table, Set<string>>();
  return (table, id) => {
    const ids = seen.get(table) ?? new Set();
    if (ids.has(id)) return true;
    seen.set(table, ids.add(id));
    return false;
  };
}

export class State {
  readonly #tables = new Map<string, Table>();
  /** Changes of the open commit in order, or null if no commit is open. */
  #changed: Undo[] | null = null;

  begin(): void {
    this.#changed = [];
  }

  /** What would undo the open commit so far. Kept by those who may want to undo it after its end. */
  get undo(): readonly Undo[] {
    return this.#changed ?? [];
  }

  /** Ends the commit. Returns each changed record once, with its last text. */
  end(): Change[] {
    const changes: Change[] = [];
    const changed = this.#changed ?? [];
    const isKnown = changed.length <= maxComparedChanges ? isAmongFirst(changed) : isRepeated();
    for (const [at, { table, id }] of changed.entries()) {
      if (isKnown(table, id, at)) continue;
      const text = table.rows.get(id)?.text ?? null;
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
    this.undoAll(this.#changed ?? []);
    this.#changed = null;
  }

  /** Undoes changes, the last one first. No later change may be left. */
  undoAll(changes: readonly Undo[]): void {
    const unordered = new Set<Table>();
    for (let i = changes.length - 1; i >= 0; i--) {
      const { table, id, row, before } = changes[i] as Undo;
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
    this.#remember(table, id, row, known?.text);
    if (row.text === null) table.size++;
    row.text = text;
  }

  delete(name: string, id: string): boolean {
    const table = this.#tables.get(name);
    const row = table?.rows.get(id);
    if (!table || !row || row.text === null) return false;
    this.#remember(table, id, row, row.text);
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
    const rows = this.#tables.get(name)?.rows;
    const ids = [...(rows?.keys() ?? [])];
    const texts = textsOf(rows);
    return (function* () {
      for (let i = 0; i < ids.length; i++) {
        const text = texts[i];
        if (typeof text === "string") yield [ids[i] as string, text];
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

  #remember(table: Table, id: string, row: Row, before: Undo["before"]): void {
    if (!this.#changed) throw new Error(`${table.name}/${id} was changed outside a commit`);
    this.#changed.push({ table, id, row, before });
  }
}

/** Adds an empty record at the end of the table. */
function addRow(table: Table, id: string): Row {
  const row: Row = { text: null, order: table.nextOrder++ };
  table.rows.set(id, row);
  return row;
}

/** Returns the current texts, which later changes do not affect. */
function textsOf(rows: Rows | undefined): (string | null)[] {
  const texts: (string | null)[] = [];
  for (const { text } of rows?.values() ?? []) texts.push(text);
  return texts;
}

/** Moves records that were put back at the end of the table to their positions. */
function restoreOrder(table: Table): void {
  table.rows = new Map([...table.rows].sort(([, one], [, other]) => one.order - other.order));
}

/** Returns the changes that replace any previous state with the current one. */
export function wholeState(state: State): Iterable<Change> {
  const everything = state.everything();
  return (function* () {
    yield ["*", "*", null];
    yield* everything;
  })();
}
