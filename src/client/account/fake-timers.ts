/** Fake clocks of tests, which advance with the clock of an account. */
import { parseDuration } from "../../time/time.js";

/**
 * Vitest's `vi`, Jest's `jest`, a clock of Sinon, `mock.timers` of node:test, or Playwright's `page.clock`. Each has one of
 * these methods.
 */
export type FakeTimers =
  | { advanceTimersByTimeAsync(ms: number): unknown }
  | { advanceTimersByTime(ms: number): unknown }
  | { tickAsync(ms: number): unknown }
  | { tick(ms: number): unknown }
  | { fastForward(ms: number): unknown };

/** In the order in which they are tried: a clock with two of them should also run what waits for promises. */
const methods = ["advanceTimersByTimeAsync", "advanceTimersByTime", "tickAsync", "tick", "fastForward"];

type Methods = Partial<Record<string, (ms: number) => unknown>>;

/** Advances a fake clock by a duration such as `24h`. Rejects with a TypeError if it is none of those that are known. */
export async function advanceTimers(timers: FakeTimers, by: string): Promise<void> {
  const known = timers as Methods;
  const name = methods.find((method) => typeof known?.[method] === "function");
  if (name === undefined)
    throw new TypeError(
      "timers must be a fake clock: vi of Vitest, jest, a clock of Sinon, mock.timers of node:test, or page.clock of Playwright",
    );
  await known[name]?.(parseDuration(by) ?? 0);
}
