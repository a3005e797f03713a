/**
 * An account's whole state: tables of records, each record kept as its JSON text. Text cannot be changed behind
 * the store's back, costs a third of the memory of objects, and is what the journal line needs anyway.
 */

/** `[table, id, text]`; text null deletes. */
export type Change = readonly [table: string, id: string, text: string | null];
export type Tables = Record<string, Record<string, unknown>>;

/** Records in order. Null stands for one that the open commit has deleted, so that a rollback finds its place again. */
type Rows = Map<string, string | null>;

interface Table {
  readonly name: string;
  readonly rows: Rows;
  /** Number of records, without those that the open commit has deleted. */
  size: number;
}

/** What a record was before a change. Undefined if there was none. */
interface Undo {
  table: Table;
  id: string;
  before: string | null | undefined;
}

/** Number of changes up to which comparing them with each other is quicker than keeping them in a set. */
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
  /** What the open commit has changed, in order; null while none is open. */
  #changed: Undo[] | null = null;

  begin(): void {
    this.#changed = [];
  }

  /** Ends the commit. Returns what it changed, each record once, with its last text. */
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

  /** Whether the open commit has changed something. */
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

  /** Puts a record as its JSON text, for those that change with nearly every call. */
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
   * Inside a commit: removes the oldest records of a log, many at a time. One at a time would cost more with each:
   * a Map keeps the places of deleted entries, and finding its first entry walks over them.
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

  /** Ids in the order in which the records were first put. */
  *ids(table: string): Generator<string> {
    for (const [id, text] of this.#tables.get(table)?.rows ?? []) if (text !== null) yield id;
  }

  tables(): Iterable<string> {
    return this.#tables.keys();
  }

  /**
   * Yields the records as they are when the first is taken, newest first. `containing` is a cheap test of the text before
   * it is parsed.
   */
  *newest<T>(table: string, containing = ""): Generator<T> {
    const texts = [...(this.#tables.get(table)?.rows.values() ?? [])];
    for (let i = texts.length - 1; i >= 0; i--) {
      const text = texts[i];
      if (text?.includes(containing)) yield JSON.parse(text) as T;
    }
  }

  /** Puts a text that was read from disk, outside any commit. */
  load(name: string, id: string, text: string | null): void {
    const table = this.#table(name);
    this.#set(table, id, text);
    if (text === null) table.rows.delete(id);
  }

  /** Returns the whole state, as it is now, as the changes that make it. */
  everything(): Iterable<Change> {
    const tables = [...this.#tables.keys()].map((name) => [name, this.entries(name)] as const);
    return (function* () {
      for (const [name, entries] of tables) for (const [id, text] of entries) yield [name, id, text];
    })();
  }

  /** Returns a table's records as they are now. They are read one after the other. */
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

  /** Returns the state as the document that a person can read. The same state gives the same bytes. */
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

/** Returns the changes that replace whatever was there with the state as it is now. */
export function wholeState(state: State): Iterable<Change> {
  const everything = state.everything();
  return (function* () {
    yield ["*", "*", null];
    yield* everything;
  })();
}
