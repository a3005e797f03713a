/**
 * An account's whole state: tables of records, each record kept as its JSON text. Text cannot be changed behind
 * the store's back, costs a third of the memory of objects, and is what the journal line needs anyway.
 */

/** `[table, id, text]`; text null deletes. */
export type Change = readonly [table: string, id: string, text: string | null];
export type Tables = Record<string, Record<string, unknown>>;

type Table = Map<string, string>;

export class State {
  readonly #tables = new Map<string, Table>();
  /** Texts from before the open commit, by table and id; null while none is open. */
  #before: Map<string, Map<string, string | undefined>> | null = null;

  begin(): void {
    this.#before = new Map();
  }

  /** Ends the commit and tells what it changed, each record once, with its last text. */
  end(): Change[] {
    const changes: Change[] = [];
    for (const [table, ids] of this.#before ?? []) {
      const rows = this.#tables.get(table);
      for (const id of ids.keys()) changes.push([table, id, rows?.get(id) ?? null]);
    }
    this.#before = null;
    return changes;
  }

  /** The open commit has changed something. */
  get changed(): boolean {
    return this.#before !== null && this.#before.size > 0;
  }

  rollback(): void {
    for (const [table, ids] of this.#before ?? []) {
      const rows = this.#rows(table);
      for (const [id, text] of ids) {
        if (text === undefined) rows.delete(id);
        else rows.set(id, text);
      }
    }
    this.#before = null;
  }

  get<T>(table: string, id: string): T | undefined {
    const text = this.#tables.get(table)?.get(id);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  text(table: string, id: string): string | null {
    return this.#tables.get(table)?.get(id) ?? null;
  }

  has(table: string, id: string): boolean {
    return this.#tables.get(table)?.has(id) ?? false;
  }

  size(table: string): number {
    return this.#tables.get(table)?.size ?? 0;
  }

  put(table: string, id: string, value: unknown): void {
    const rows = this.#rows(table);
    this.#remember(table, id, rows);
    rows.set(id, JSON.stringify(value));
  }

  delete(table: string, id: string): boolean {
    const rows = this.#tables.get(table);
    if (!rows?.has(id)) return false;
    this.#remember(table, id, rows);
    return rows.delete(id);
  }

  /** Ids in the order in which the records were first put. */
  ids(table: string): Iterable<string> {
    return this.#tables.get(table)?.keys() ?? [];
  }

  tables(): Iterable<string> {
    return this.#tables.keys();
  }

  /** Newest first. `containing` is a cheap test of the text before it is parsed. */
  *newest<T>(table: string, containing = ""): Generator<T> {
    const rows = this.#tables.get(table);
    if (!rows) return;
    const ids = [...rows.keys()];
    for (let i = ids.length - 1; i >= 0; i--) {
      const text = rows.get(ids[i] as string);
      if (text?.includes(containing)) yield JSON.parse(text) as T;
    }
  }

  /** Puts a text as it was read from disk: part of no commit. */
  load(table: string, id: string, text: string | null): void {
    if (text === null) this.#tables.get(table)?.delete(id);
    else this.#rows(table).set(id, text);
  }

  clear(): void {
    this.#tables.clear();
  }

  /** The document that a person can read; the same state gives the same bytes. */
  document(): Tables {
    const document: Tables = {};
    for (const [table, rows] of this.#tables) {
      if (rows.size === 0) continue;
      const records: Record<string, unknown> = {};
      for (const [id, text] of rows) records[id] = JSON.parse(text);
      document[table] = records;
    }
    return document;
  }

  #rows(table: string): Table {
    let rows = this.#tables.get(table);
    if (!rows) {
      rows = new Map();
      this.#tables.set(table, rows);
    }
    return rows;
  }

  #remember(table: string, id: string, rows: Table): void {
    if (!this.#before) throw new Error(`${table}/${id} was changed outside a commit`);
    let ids = this.#before.get(table);
    if (!ids) {
      ids = new Map();
      this.#before.set(table, ids);
    }
    if (!ids.has(id)) ids.set(id, rows.get(id));
  }
}
