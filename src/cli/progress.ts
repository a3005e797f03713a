/** What a command waits for, and for how long: one line on a terminal's stderr, gone when the wait is over. */
import { second, stopwatch, type Timer, timer } from "../world/time/time.js";

const clearLine = "\r\u001b[K";

/** Nothing is said of what takes less than a second. */
export async function waitingFor<T>(what: string, work: Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY || process.env.TERM === "dumb") return work;
  const elapsed = stopwatch();
  let said = false;
  let next: Timer;
  const say = () => {
    const line = `Waiting for ${what}, ${Math.round(elapsed() / second)} s`;
    // A line that wraps could not be taken back.
    stderr.write(`${clearLine}${line.slice(0, (stderr.columns || 80) - 1)}`);
    said = true;
    next = timer(second, say);
  };
  next = timer(second, say);
  try {
    return await work;
  } finally {
    next.cancel();
    if (said) stderr.write(clearLine);
  }
}
