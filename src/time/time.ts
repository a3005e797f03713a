/** The only place that reads the machine's clock or starts a timer. Times are ms since the epoch; durations are ms. */
import { clearTimeout, setImmediate, setTimeout } from "./machine.js";

export * from "./instants.js";

// Captured when this module loads, like the timers, because tests in the same process may replace them later.
const RealDate = Date;
const monotonicNow = performance.now.bind(performance);

export const realNow = (): number => RealDate.now();

/** Starts a stopwatch on a monotonic clock. The returned function gives the elapsed time in ms. */
export const stopwatch = (): (() => number) => {
  const started = monotonicNow();
  return () => monotonicNow() - started;
};

/** Like `stopwatch`, but uses whichever clock runs faster, so that time in which the machine was suspended counts too. */
export const fastestStopwatch = (): (() => number) => {
  const monotonic = stopwatch();
  const started = realNow();
  return () => Math.max(monotonic(), realNow() - started);
};

/** Maximum delay of a Node timer in ms (24.8 days). Longer ones overflow. */
const maxTimerMs = 2 ** 31 - 1;

export interface Timer {
  cancel(): void;
}

/** Calls `callback` after `ms` of wall-clock time, at most 24.8 days. Does not keep the process alive. */
export function timer(ms: number, callback: () => void): Timer {
  const handle = setTimeout(callback, Math.min(Math.max(ms, 0), maxTimerMs));
  handle.unref();
  return { cancel: () => clearTimeout(handle) };
}

/** Waits for `ms` of wall-clock time. Resolves early if the signal aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(handle);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const handle = setTimeout(done, Math.min(ms, maxTimerMs));
    signal?.addEventListener("abort", done);
  });
}

/** Calls `callback` after the events of this turn of the event loop. */
export const afterTick = (callback: () => void): void => {
  setImmediate(callback);
};
