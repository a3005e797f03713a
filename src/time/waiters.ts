/** Clients that wait for the next message or event, and the item that each wait returned. Kept only in memory. */

/** Number of returned items per query that a rewind can make new again. */
const maxTaken = 100;

interface Taken {
  id: string;
  /** Number of activities that had begun when it was returned. */
  activities: number;
}

export class Waiters<T extends { id: string }> {
  readonly #callbacks = new Set<() => void>();
  /** Items that were returned for each query, the newest last. */
  readonly #taken = new Map<string, Taken[]>();

  /** True once the sandbox is stopping, when no client waits any longer. */
  ended = false;

  /**
   * Returns the oldest item that no earlier wait with this query has returned, or undefined. `activities` is the number
   * of activities that have begun.
   */
  take(query: string, newestFirst: Iterable<T>, activities: number): T | undefined {
    const taken = this.#taken.get(query) ?? [];
    const last = taken.at(-1)?.id;
    let oldest: T | undefined;
    for (const candidate of newestFirst) {
      if (candidate.id === last) break;
      oldest = candidate;
    }
    if (oldest) this.#taken.set(query, [...taken.slice(-maxTaken), { id: oldest.id, activities }]);
    return oldest;
  }

  /** Calls `callback` once, at the next item or at the end. Returns a function that stops waiting. */
  onNext(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  get hasAny(): boolean {
    return this.#callbacks.size > 0;
  }

  wake(): void {
    const callbacks = [...this.#callbacks];
    this.#callbacks.clear();
    for (const callback of callbacks) callback();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  /** Clears the record of items returned by earlier waits. */
  forget(): void {
    this.#taken.clear();
  }

  /** Forgets the items that were returned since this activity began. */
  forgetSince(activity: number): void {
    for (const [query, taken] of this.#taken)
      this.#taken.set(
        query,
        taken.filter(({ activities }) => activities < activity),
      );
  }
}
