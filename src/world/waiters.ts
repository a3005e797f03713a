/** Clients that wait for the next message or event, and the item that each wait returned. Kept only in memory. */
export class Waiters<T extends { id: string }> {
  readonly #callbacks = new Set<() => void>();
  /** Id of the last item that was returned for each query. */
  readonly #lastTaken = new Map<string, string>();

  /** True once the sandbox is stopping, when no client waits any longer. */
  ended = false;

  /** Returns the oldest item that no earlier wait with this query has returned, or undefined. */
  take(query: string, newestFirst: Iterable<T>): T | undefined {
    const last = this.#lastTaken.get(query);
    let oldest: T | undefined;
    for (const candidate of newestFirst) {
      if (candidate.id === last) break;
      oldest = candidate;
    }
    if (oldest) this.#lastTaken.set(query, oldest.id);
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
    this.#lastTaken.clear();
  }
}
