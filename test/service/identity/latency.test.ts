import { expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { type CheckId, send } from "./checks.js";

const sandbox = useSandbox({ latency: "documented" });
/** Runs in this process, so that modules are loaded before times are measured. */
const quick = useSandbox();

const outcomes = ["match", "not_found", "provider_unavailable"];

/** Returns the ms of wall-clock time of three concurrent calls: one finds a record, one does not, one fails. */
async function timesOf(id: CheckId): Promise<number[]> {
  await send(quick.account(), id);
  const start = performance.now();
  return Promise.all(
    outcomes.map(async (outcome) => {
      await send(sandbox.account(), id, {}, { "X-Sandbox-Outcome": outcome });
      return performance.now() - start;
    }),
  );
}

test("in documented time a BVN check takes 0.4 s to 3 s", async () => {
  for (const time of await timesOf("verifyBvn")) {
    expect(time).toBeGreaterThanOrEqual(400);
    expect(time).toBeLessThan(3_000);
  }
});

test("in documented time a NIN check takes less than 4 s", async () => {
  for (const time of await timesOf("verifyNin")) expect(time).toBeLessThan(4_000);
});
