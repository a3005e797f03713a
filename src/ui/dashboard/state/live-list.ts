/** A bounded list, newest first, that is paused while somebody reads it. */
import { signal } from "@preact/signals";

/** Maximum number of items of a list that follows what happens. */
export const liveLimit = 1_000;
/** Maximum number of items after older ones were asked for. */
const readLimit = 5_000;

export class LiveList<T extends { readonly id: string }> {
  /** Items that are shown, newest first. */
  readonly items = signal<readonly T[]>([]);
  /** Number of new items that are not shown, because the list stands still. */
  readonly waiting = signal(0);
  #isPinned = false;
  /** New items that are not shown, newest first. */
  #fresh: readonly T[] = [];

  /** Replaces all items. */
  replace(items: readonly T[]): void {
    this.#fresh = [];
    this.waiting.value = 0;
    this.items.value = items;
  }

  /** Adds new items and updates known ones. `batch` is oldest first. */
  merge(batch: readonly T[]): void {
    if (batch.length === 0) return;
    const changed = new Map(batch.map((item) => [item.id, item]));
    const update = (items: readonly T[]) =>
      items.some(({ id }) => changed.has(id))
        ? items.map((item) => {
            const now = changed.get(item.id);
            changed.delete(item.id);
            return now ?? item;
          })
        : items;
    const known = update(this.items.value);
    const fresh = update(this.#fresh);
    const added = [...changed.values()].reverse();
    if (this.#isPinned) {
      this.#fresh = [...added, ...fresh].slice(0, liveLimit);
      this.waiting.value += added.length;
      this.items.value = known;
    } else this.items.value = added.length > 0 ? [...added, ...known].slice(0, liveLimit) : known;
  }

  /** Adds older items at the end. */
  append(older: readonly T[]): void {
    this.items.value = [...this.items.value, ...older].slice(0, readLimit);
  }

  /** Whether the list stands still. Once it no longer does, what is new is shown. */
  pin(isPinned: boolean): void {
    this.#isPinned = isPinned;
    if (!isPinned) this.reveal();
  }

  /** Shows the new items. */
  reveal(): void {
    if (this.waiting.value === 0) return;
    const isWhole = this.waiting.value === this.#fresh.length;
    // Where new items had to be dropped, those shown so far do not follow on the others.
    const rest = isWhole ? this.items.value : [];
    this.items.value = [...this.#fresh, ...rest].slice(0, liveLimit);
    this.#fresh = [];
    this.waiting.value = 0;
  }
}
