/** Caches a record that nearly every call reads. It is parsed again only when its text has changed. */
import type { State } from "./state.js";
import type { Table } from "./table.js";

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

  /** Inside a commit; a rollback brings the old text back, and with it the old value. */
  put(id: Id, value: Rows[Id]): void {
    this.state.put(this.table, id, value);
    this.#text = this.state.text(this.table, id);
    this.#id = id;
    this.#value = value;
  }
}
