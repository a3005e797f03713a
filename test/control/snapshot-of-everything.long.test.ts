/** Snapshots after every operation of the service, and in long runs after every scenario. */
import { afterEach, expect, test } from "vitest";
import { readSources } from "../../src/cli/scenario/sources.js";
import type { SandboxAccount, Snapshot } from "../../src/index.js";
import { bundledScenarioNames } from "../../src/scenarios/bundled-scenarios.js";
import { ask, operations } from "../contract/alternatives/asking.js";
import { isLong, shareOf } from "../support/repetitions.js";
import { post, useSandbox } from "../support/sandbox.js";
import { bytesOf, expectSameReplies, forged, frozenAt, restoreCopy } from "../support/snapshots.js";

const sandbox = useSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const sources = await readSources(await bundledScenarioNames());
async function copyOf(account: SandboxAccount, mode: "test" | "live" = "test"): Promise<SandboxAccount> {
  const copy = sandbox.account({ mode });
  await restoreCopy(copy, await bytesOf(account));
  return copy;
}

// In every run, test/scenarios/files.test.ts asks some operations after each scenario.
test.runIf(isLong).each(sources)(
  "after the scenario $name, the copy has the same bytes and gives the same next replies",
  async ({ scenario, readFixture }) => {
    const mode = scenario.account ?? "test";
    const account = sandbox.account({ mode });
    await account.scenario.run(scenario, { readFixture });
    await account.clock.freeze();
    await account.advance("0s");
    await expectSameReplies(account, await copyOf(account, mode), operations);
  },
);

test("after every operation of the service, the copy has the same bytes and gives the same next replies", async () => {
  const account = sandbox.account();
  await account.clock.freeze(frozenAt);
  for (const operation of operations) await ask(account, operation);
  const copy = await copyOf(account);
  for (let turn = 0; turn < 10; turn += 3)
    await expectSameReplies(account, copy, shareOf(operations, 10, turn));
});

test("a snapshot of an earlier version, with the times of first free calls as strings, is restored", async () => {
  const account = sandbox.account();
  await account.clock.freeze(frozenAt);
  await post(account, "/v1/audits", { url: "https://shop.example" });
  const snapshot = await account.snapshot();
  const old: Snapshot = forged(snapshot, ({ state }) => {
    state.free_firsts.audit_standard = frozenAt;
  });
  const copy = sandbox.account();
  await copy.restore(old);
  expect(await copy.snapshot()).toEqual(snapshot);
});
