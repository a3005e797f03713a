/**
 * What clients and testers see of random exchanges stays the same, byte for byte: of 500 in each run, of 2,000 in long runs.
 * After a wanted change of what is seen, `npx vitest run --mode share test/contract/exchanges.long.test.ts -u` writes the
 * hashes again, and with `--mode long --project repetitions` the hashes of long runs.
 */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { readBundledScenarios } from "../../src/scenarios/bundled-scenarios.js";
import { assumptions } from "../../src/service/assumptions.js";
import { firstInstant, formatSeen, playSession } from "../support/exchanges.js";
import { isLong, repetitions } from "../support/repetitions.js";
import { useSandbox } from "../support/sandbox.js";

/** Sessions of about 50 exchanges each. */
const sessions = repetitions(10, 40);

const alternatives = assumptions.flatMap(({ id, ...rest }) => {
  const { alternatives = {} } = (rest as { switch?: { alternatives?: object } }).switch ?? {};
  const [value] = Object.keys(alternatives);
  return value === undefined ? [] : [[id, value] as const];
});

const usual = useSandbox();
const switched = useSandbox({ assumptions: Object.fromEntries(alternatives) });

test("exchanges of all operations, and the state after every scenario", async () => {
  const hashes = new Map<string, ReturnType<typeof createHash>>();
  let exchanges = 0;
  const keep = (group: string, seen: unknown) => {
    const hash = hashes.get(group) ?? createHash("sha256");
    hashes.set(group, hash.update(formatSeen(seen)));
    exchanges++;
  };
  for (let seed = 1; seed <= sessions; seed++) {
    const key = `sk_${seed % 5 === 0 ? "live" : "test"}_exchanges${String(seed).padStart(8, "0")}`;
    await playSession((seed % 4 === 1 ? switched : usual).account({ key }), seed, 50, keep);
  }
  expect(exchanges).toBeGreaterThan(50 * sessions);
  for (const { name, scenario } of await readBundledScenarios()) {
    const given = { ...scenario.given, clock: scenario.given?.clock ?? firstInstant };
    const account = usual.account({ key: `sk_test_scenario_${name.replaceAll("-", "_")}` });
    await account.scenario.run({ ...scenario, given } as never);
    keep(`scenario ${name}`, (await account.snapshot()).state);
  }
  const lines = [...hashes].map(([group, hash]) => `${group} ${hash.digest("hex").slice(0, 16)}\n`).sort();
  const file = isLong ? "exchanges-long.hashes.txt" : "exchanges.hashes.txt";
  await expect(lines.join("")).toMatchFileSnapshot(file);
});
