/** Shows on a terminal's stderr what a command is waiting for. */
import { second, stopwatch, type Timer, timer } from "../../time/time.js";

const clearLine = "\r\u001b[K";

/** Settles as `work` does. If that takes more than a second, shows a line with the elapsed time meanwhile. */
export async function withProgress<T>(subject: string, work: Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY || process.env.TERM === "dumb") return work;
  const elapsed = stopwatch();
  let isShown = false;
  let next: Timer;
  const show = () => {
    const line = `Waiting for ${subject} (${Math.round(elapsed() / second)} s)`;
    // A wrapped line cannot be cleared.
    stderr.write(`${clearLine}${line.slice(0, (stderr.columns || 80) - 1)}`);
    isShown = true;
    next = timer(second, show);
  };
  next = timer(second, show);
  try {
    return await work;
  } finally {
    next.cancel();
    if (isShown) stderr.write(clearLine);
  }
}
