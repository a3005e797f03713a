/** A semaphore: limits concurrency, and serves waiters in order. */
export class Slots {
  #active = 0;
  readonly #waiting: (() => void)[] = [];
  #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get active(): number {
    return this.#active;
  }

  get max(): number {
    return this.#max;
  }

  /** Changes the limit. A lower one takes effect as slots are released. */
  set max(max: number) {
    this.#max = max;
    this.#letIn();
  }

  /** Takes a slot. Returns a promise if none is free. */
  enter(): Promise<void> | null {
    if (this.#active < this.#max) {
      this.#active++;
      return null;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    this.#active--;
    this.#letIn();
  }

  #letIn(): void {
    while (this.#active < this.#max) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#active++;
      next();
    }
  }
}
