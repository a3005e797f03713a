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

/**
 * Settles with `work`. If that takes more than a second, shows a line with the elapsed time and, if `progress` is given, the
 * progress of the work.
 */
export async function withProgress<T>(
  subject: string,
  work: Promise<T>,
  progress: () => Promise<string> | string = () => "",
): Promise<T> {
  const line = new StatusLine();
  if (!line.isShown) return work;
  const elapsed = stopwatch();
  let next: Timer;
  let isOver = false;
  const show = async () => {
    const reached = await Promise.resolve(progress()).catch(() => "");
    if (isOver) return;
    line.show(`Waiting for ${subject}${reached} (${Math.round(elapsed() / second)} s)`);
    next = timer(second, () => void show());
  };
  next = timer(second, () => void show());
  try {
    return await work;
  } finally {
    isOver = true;
    next.cancel();
    line.clear();
  }
}
