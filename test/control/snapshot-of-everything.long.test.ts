/** Snapshots after every scenario, and after every operation of the service. */
import { afterEach, expect, test } from "vitest";
import { readSources, type ScenarioSource } from "../../src/cli/scenario/sources.js";
import type { AnyOperation } from "../../src/contract/operation.js";
import type { SandboxAccount, Snapshot } from "../../src/index.js";
import { bundledScenarioNames } from "../../src/scenarios/bundled-scenarios.js";
import { ask, operations } from "../contract/alternatives/asking.js";
import { shareOf } from "../support/repetitions.js";
import { post, type Reply, useSandbox } from "../support/sandbox.js";
import { bytesOf, forged, frozenAt, putSnapshot } from "../support/snapshots.js";

const sandbox = useSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const sources = await readSources(await bundledScenarioNames());
const withTurns = sources.map((source, turn): [string, ScenarioSource, number] => [
  source.name,
  source,
  turn,
]);

/** Returns a reply without its request id and account id. */
const shown = ({ status, body }: Reply): string =>
  JSON.stringify([status, body]).replaceAll(/\b(?:req|acct)_\w+/g, "");

async function copyOf(account: SandboxAccount, mode: "test" | "live" = "test"): Promise<SandboxAccount> {
  const copy = sandbox.account({ mode });
  const bytes = await bytesOf(account);
  const { status, body } = await putSnapshot(copy, bytes);
  expect([status, body.error]).toEqual([200, undefined]);
  expect(await bytesOf(copy)).toBe(bytes);
  return copy;
}

async function expectSameReplies(
  account: SandboxAccount,
  copy: SandboxAccount,
  which: readonly AnyOperation[],
): Promise<void> {
  for (const operation of which) {
    expect(shown(await ask(copy, operation)), operation.id).toBe(shown(await ask(account, operation)));
  }
}

test.each(shareOf(withTurns, 2, 1))(
  "after the scenario %s, the copy has the same bytes and gives the same next replies",
  async (_name, { scenario, readFixture }, turn) => {
    const mode = scenario.account ?? "test";
    const account = sandbox.account({ mode });
    await account.scenario.run(scenario, { readFixture });
    await account.clock.freeze();
    await account.advance("0s");
    const copy = await copyOf(account, mode);
    await expectSameReplies(account, copy, shareOf(operations, 10, Math.floor(turn / 2)));
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
