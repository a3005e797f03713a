/** A limit on how much goes on at once. Who comes when all slots are taken waits in line. */
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

  /** A lower limit holds once enough slots have been left. */
  set max(max: number) {
    this.#max = max;
    this.#letIn();
  }

  /** Takes a slot. Returns a promise when it has to be waited for. */
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
