/** The last result of a list, as rows that keep their places while somebody reads them. */
import { signal } from "@preact/signals";

export class StillList<T extends { readonly id: string }> {
  readonly items = signal<readonly T[]>([]);
  /** Number of new rows that are not shown, because the list stands still. */
  readonly waiting = signal(0);
  #read: readonly T[] = [];
  #isPinned = false;

  constructor(read: readonly T[]) {
    this.update(read, true);
  }

  /** Takes what was read. If `isWhole`, there are no other rows, so that those that are missing in it are gone. */
  update(read: readonly T[], isWhole: boolean): void {
    this.#read = read;
    if (!this.#isPinned) return this.reveal();
    const current = new Map(read.map((item) => [item.id, item]));
    const rows = this.items.value.flatMap((item) => current.get(item.id) ?? (isWhole ? [] : item));
    for (const { id } of rows) current.delete(id);
    this.items.value = rows;
    this.waiting.value = current.size;
  }

  /** Whether the list stands still. Once it no longer does, what was read last is shown. */
  pin(isPinned: boolean): void {
    this.#isPinned = isPinned;
    if (!isPinned) this.reveal();
  }

  /** Shows what was read last. */
  reveal(): void {
    this.items.value = this.#read;
    this.waiting.value = 0;
  }
}
