/**
 * An account's whole state: tables of records, each record kept as its JSON text. Text cannot be changed behind
 * the store's back, takes a third of the memory of objects, and is the form that the journal needs anyway.
 */

/** A change `[table, id, text]`. A null text deletes the record. */
export type Change = readonly [table: string, id: string, text: string | null];
export type Tables = Record<string, Record<string, unknown>>;

/** Records in order. Null marks one that the open commit has deleted, so that a rollback restores its position. */
type Rows = Map<string, string | null>;

interface Table {
  readonly name: string;
  readonly rows: Rows;
  /** Number of records, without those that the open commit has deleted. */
  size: number;
}

/** Text of a record before a change, or undefined if the record did not exist. */
interface Undo {
  table: Table;
  id: string;
  before: string | null | undefined;
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

  /** Ends the commit. Returns each changed record once, with its last text. */
  end(): Change[] {
    const changes: Change[] = [];
    const changed = this.#changed ?? [];
    const isKnown = changed.length <= maxComparedChanges ? isAmongFirst(changed) : isRepeated();
    for (const [at, { table, id }] of changed.entries()) {
      if (isKnown(table, id, at)) continue;
      const text = table.rows.get(id) ?? null;
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
    const changed = this.#changed ?? [];
    for (let i = changed.length - 1; i >= 0; i--) {
      const { table, id, before } = changed[i] as Undo;
      this.#set(table, id, before ?? null);
      if (before === undefined) table.rows.delete(id);
    }
    this.#changed = null;
  }

  get<T>(table: string, id: string): T | undefined {
    const text = this.text(table, id);
    return text === null ? undefined : (JSON.parse(text) as T);
  }

  text(table: string, id: string): string | null {
    return this.#tables.get(table)?.rows.get(id) ?? null;
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
    const before = table.rows.get(id);
    this.#remember(table, id, before);
    if (before === undefined || before === null) table.size++;
    table.rows.set(id, text);
  }

  delete(name: string, id: string): boolean {
    const table = this.#tables.get(name);
    const before = table?.rows.get(id);
    if (!table || before === undefined || before === null) return false;
    this.#remember(table, id, before);
    table.size--;
    table.rows.set(id, null);
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
    for (const [id, text] of this.#tables.get(table)?.rows ?? []) if (text !== null) yield id;
  }

  tables(): Iterable<string> {
    return this.#tables.keys();
  }

  /**
   * Yields the records as of the first iteration, newest first. `containing` filters by a substring of the text before
   * it is parsed.
   */
  *newest<T>(table: string, containing = ""): Generator<T> {
    const texts = [...(this.#tables.get(table)?.rows.values() ?? [])];
    for (let i = texts.length - 1; i >= 0; i--) {
      const text = texts[i];
      if (text?.includes(containing)) yield JSON.parse(text) as T;
    }
  }

  /** Loads a text that was read from disk, outside of commits. */
  load(name: string, id: string, text: string | null): void {
    const table = this.#table(name);
    this.#set(table, id, text);
    if (text === null) table.rows.delete(id);
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
    const rows: Rows = this.#tables.get(name)?.rows ?? new Map();
    const ids = [...rows.keys()];
    const texts = [...rows.values()];
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
      for (const [id, text] of rows) if (text !== null) records[id] = JSON.parse(text);
      document[name] = records;
    }
    return document;
  }

  #table(name: string): Table {
    let table = this.#tables.get(name);
    if (!table) {
      table = { name, rows: new Map(), size: 0 };
      this.#tables.set(name, table);
    }
    return table;
  }

  #set(table: Table, id: string, text: string | null): void {
    const before = table.rows.get(id) ?? null;
    if (before === null && text !== null) table.size++;
    else if (before !== null && text === null) table.size--;
    table.rows.set(id, text);
  }

  #remember(table: Table, id: string, before: string | null | undefined): void {
    if (!this.#changed) throw new Error(`${table.name}/${id} was changed outside a commit`);
    this.#changed.push({ table, id, before });
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
