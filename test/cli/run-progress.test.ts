/** A run beyond its time limit, which goes on while it shows progress. */
import { expect, test } from "vitest";
import { runCaptured } from "../../src/cli/exec/run-under.js";
import { stopwatch } from "../../src/time/time.js";

const stopped = new AbortController().signal;
const wait = (ms: number, rest = "") => [process.execPath, "--eval", `${rest}; setTimeout(() => {}, ${ms})`];
const never = () => Number.POSITIVE_INFINITY;

test("a run ends at its time limit, and goes on beyond it for as long as it prints or shows another sign", async () => {
  const timeout = 1;
  const printing = `setInterval(() => console.log("test passed"), 50).unref()`;
  const [plain, printed, signed] = await Promise.all([
    runCaptured(wait(600_000), process.env, { timeout, stopped }),
    runCaptured(wait(6_500, printing), process.env, {
      timeout,
      stopped,
      whileProgressing: { silenceMs: 5_000, maxMs: 60_000, sinceSign: never },
    }),
    runCaptured(wait(1_000), process.env, {
      timeout,
      stopped,
      whileProgressing: { silenceMs: 50, maxMs: 60_000, sinceSign: () => 0 },
    }),
  ]);
  expect([plain, printed, signed].map(({ timedOut }) => timedOut)).toEqual([true, false, false]);
});

test("a run that shows no sign of progress any more ends, and one that shows signs for ever ends as well", async () => {
  const timeout = 1;
  const silent = { silenceMs: 50, maxMs: 60_000, sinceSign: stopwatch() };
  const endless = { silenceMs: 50, maxMs: 500, sinceSign: () => 0 };
  const runs = await Promise.all(
    [silent, endless].map((whileProgressing) =>
      runCaptured(wait(600_000), process.env, { timeout, stopped, whileProgressing }),
    ),
  );
  expect(runs.map(({ timedOut }) => timedOut)).toEqual([true, true]);
});
