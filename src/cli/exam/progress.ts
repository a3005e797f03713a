/** Shows on a terminal how far an exam is, and how much of its time is left. */
import { second } from "../../time/time.js";
import { StatusLine } from "../output/progress.js";

const barWidth = 20;

export class Progress {
  #judged = 0;
  #all = 0;
  readonly #line = new StatusLine();

  /** `left` returns the ms that are left. */
  constructor(readonly left: () => number) {}

  advance(judged: number, all: number): void {
    this.#judged = judged;
    this.#all = all;
  }

  /** Shows what is running. */
  show(title: string): void {
    const done = this.#all === 0 ? 0 : Math.round((this.#judged / this.#all) * barWidth);
    const bar = "#".repeat(done).padEnd(barWidth, ".");
    const seconds = Math.max(0, Math.round(this.left() / second));
    this.#line.show(`[${bar}] ${this.#judged} of ${this.#all}, ${seconds} s left: ${title}`);
  }

  end(): void {
    this.#line.clear();
  }
}
