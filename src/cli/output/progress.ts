/** Shows on a terminal's stderr what a command is waiting for. */
import { second, stopwatch, type Timer, timer } from "../../time/time.js";

const clearLine = "\r\u001b[K";

/** A line on a terminal's stderr that each text replaces. Without a terminal, nothing is shown. */
export class StatusLine {
  readonly isShown = process.stderr.isTTY === true && process.env.TERM !== "dumb";
  #hasText = false;

  show(text: string): void {
    if (!this.isShown) return;
    // A wrapped line cannot be cleared.
    process.stderr.write(`${clearLine}${text.slice(0, (process.stderr.columns || 80) - 1)}`);
    this.#hasText = true;
  }

  clear(): void {
    if (this.#hasText) process.stderr.write(clearLine);
  }
}

/** Settles as `work` does. If that takes more than a second, shows a line with the elapsed time meanwhile. */
export async function withProgress<T>(subject: string, work: Promise<T>): Promise<T> {
  const line = new StatusLine();
  if (!line.isShown) return work;
  const elapsed = stopwatch();
  let next: Timer;
  const show = () => {
    line.show(`Waiting for ${subject} (${Math.round(elapsed() / second)} s)`);
    next = timer(second, show);
  };
  next = timer(second, show);
  try {
    return await work;
  } finally {
    next.cancel();
    line.clear();
  }
}
