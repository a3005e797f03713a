/**
 * The machine's timers, captured when this module loads: a test in the same process may later replace the global timers
 * with fake ones, under which no time passes.
 */
export const { setTimeout, clearTimeout, setImmediate, clearImmediate, queueMicrotask } = globalThis;

/** Returns whether node:test, Sinon, Vitest or Jest made the function. */
const isFake = (current: { name: string }, name: string): boolean =>
  current.name !== name || "clock" in current;

/** Whether timers or dates were already fake when the sandbox was loaded. */
export const areTimersFake =
  isFake(setTimeout, "setTimeout") || isFake(setImmediate, "setImmediate") || isFake(Date, "Date");
