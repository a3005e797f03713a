/** Caches a record that nearly every call reads. It is parsed again only when its text has changed. */
import type { State } from "../store/state.js";

export class CachedRecord<T extends object> {
  #id = "";
  #text: string | null = null;
  #value: T | undefined;

  constructor(
    readonly state: State,
    readonly table: string,
  ) {}

  /** Returns the record, or undefined if there is none. Callers must change it only through `put`. */
  get(id: string): Readonly<T> | undefined {
    const text = this.state.text(this.table, id);
    if (text !== this.#text || id !== this.#id) {
      this.#value = text === null ? undefined : (JSON.parse(text) as T);
      this.#text = text;
      this.#id = id;
    }
    return this.#value;
  }

  /** Inside a commit; a rollback brings the old text back, and with it the old value. */
  put(id: string, value: T): void {
    this.state.put(this.table, id, value);
    this.#text = this.state.text(this.table, id);
    this.#id = id;
    this.#value = value;
  }
}
