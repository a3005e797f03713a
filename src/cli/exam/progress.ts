/** Shows on a terminal how far an exam is, and how much of its time is left. */
import { second } from "../../time/time.js";

const clearLine = "\r\u001b[K";
const barWidth = 20;

export class Progress {
  #judged = 0;
  #all = 0;
  readonly #stream: NodeJS.WriteStream | null;

  /** Shows nothing without a terminal. `left` returns the ms that are left. */
  constructor(
    stream: NodeJS.WriteStream | null,
    readonly left: () => number,
  ) {
    this.#stream = stream?.isTTY && process.env.TERM !== "dumb" ? stream : null;
  }

  advance(judged: number, all: number): void {
    this.#judged = judged;
    this.#all = all;
  }

  /** Shows what is running. */
  show(title: string): void {
    if (!this.#stream) return;
    const done = this.#all === 0 ? 0 : Math.round((this.#judged / this.#all) * barWidth);
    const bar = "#".repeat(done).padEnd(barWidth, ".");
    const seconds = Math.max(0, Math.round(this.left() / second));
    const line = `[${bar}] ${this.#judged} of ${this.#all}, ${seconds} s left: ${title}`;
    // A wrapped line cannot be cleared.
    this.#stream.write(`${clearLine}${line.slice(0, (this.#stream.columns || 80) - 1)}`);
  }

  end(): void {
    this.#stream?.write(clearLine);
  }
}
