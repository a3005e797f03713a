/** Who waits for the next of something, and what was handed out to whom. In memory: a restart hands out anew. */
export class Waits<T extends { id: string }> {
  readonly #waiting = new Set<() => void>();
  /** For each question the last that a wait was answered with. */
  readonly #handedOut = new Map<string, string>();

  /** The sandbox stops, and nobody waits any more. */
  ended = false;

  /** The oldest that no wait with this question was answered with; undefined while there is none. */
  take(question: string, newestFirst: Iterable<T>): T | undefined {
    const last = this.#handedOut.get(question);
    let oldest: T | undefined;
    for (const candidate of newestFirst) {
      if (candidate.id === last) break;
      oldest = candidate;
    }
    if (oldest) this.#handedOut.set(question, oldest.id);
    return oldest;
  }

  /** Called back once at the next; the returned function stops waiting. */
  onNext(callback: () => void): () => void {
    this.#waiting.add(callback);
    return () => this.#waiting.delete(callback);
  }

  get waitedFor(): boolean {
    return this.#waiting.size > 0;
  }

  wake(): void {
    const callbacks = [...this.#waiting];
    this.#waiting.clear();
    for (const callback of callbacks) callback();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  forget(): void {
    this.#handedOut.clear();
  }
}
