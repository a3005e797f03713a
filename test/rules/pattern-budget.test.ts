/** The time limit of patterns. */
import { expect, test } from "vitest";
import { runWithTimeout } from "../../src/rules/pattern-budget.js";

const limitMs = 20;

test("a callback that computes longer than the limit is stopped", () => {
  const endless = () => {
    for (;;);
  };
  expect(runWithTimeout(endless, limitMs)).toBeNull();
});

test("a callback during which the process got no CPU is tried again", () => {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  let tries = 0;
  const callback = () => {
    // The thread sleeps past the limit, as it does on a machine whose other processes come first.
    if (++tries === 1) Atomics.wait(sleeper, 0, 0, 3 * limitMs);
    return true;
  };
  expect([runWithTimeout(callback, limitMs), tries]).toEqual([true, 2]);
});
