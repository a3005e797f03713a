/** Recordings pass with each alternative of the assumptions that they do not touch. */
import { expect, test } from "vitest";
import { operationsByAssumption, variationsOf } from "../../../src/cli/assumptions/variations.js";
import type { CoverageReport } from "../../../src/client/account/types.js";
import { createSandbox, type SandboxAccount } from "../../../src/index.js";
import { repetitions } from "../../support/repetitions.js";
import { useSandbox } from "../../support/sandbox.js";
import { accountOf, playSession } from "./random-session.js";

const sandbox = useSandbox();

/** Sessions of one group each, and random ones of all groups. */
const sessions: readonly { name: string; plan?: string[] }[] = [
  { name: "phone", plan: ["startPhone", "checkPhone"] },
  { name: "identity", plan: ["bvn", "nin", "frsc", "bankAccount", "person", "document", "faceMatch"] },
  { name: "address", plan: ["address", "visit", "location", "addressDocument"] },
  { name: "rooms", plan: ["session", "endSession", "sessions"] },
  { name: "account", plan: ["balance", "usage", "pricing", "plan"] },
  { name: "audits", plan: ["audit", "audits", "domain", "proof", "checkDomain"] },
  { name: "media", plan: ["scanImage", "scanText", "scans", "logo"] },
  {
    name: "channels",
    plan: ["plan", "channel", "connect", "channels", "personWrites", "send", "channelCode", "question"],
  },
  {
    name: "business",
    plan: ["profile", "payoutAccount", "virtualAccount", "pay", "move", "payout", "refund", "lists"],
  },
  { name: "webhooks", plan: ["freeze", "webhook", "profile", "virtualAccount", "pay", "advance", "trigger"] },
  ...Array.from({ length: repetitions(2, 100) }, (_, at) => ({ name: `varied session ${at}` })),
];

async function failedSteps(account: SandboxAccount, { scenario }: { scenario: object }) {
  const { steps } = await account.scenario.run(scenario as never);
  return steps.filter(({ passed }) => !passed);
}

/** Returns sets of assumptions in which each alternative of those that are not touched occurs. */
function untouchedAlternatives(coverage: CoverageReport): Record<string, string>[] {
  const touched = operationsByAssumption(coverage);
  const byAssumption = new Map<string, string[]>();
  for (const { assumption, alternative } of variationsOf({}, null))
    if (!touched.has(assumption))
      byAssumption.set(assumption, [...(byAssumption.get(assumption) ?? []), alternative]);
  const rounds = Math.max(...[...byAssumption.values()].map((alternatives) => alternatives.length));
  return Array.from({ length: rounds }, (_, round) =>
    Object.fromEntries(
      [...byAssumption].map(([id, values]) => [id, values[round % values.length] as string]),
    ),
  );
}

test.each(sessions)("the recording of $name passes whatever is assumed elsewhere", async ({ name, plan }) => {
  const account = await accountOf(sandbox, name);
  await playSession(account, name, plan);
  const recording = await account.scenario.record({ inline: true });
  const fresh = sandbox.account();
  expect(await failedSteps(fresh, recording)).toEqual([]);
  const alternatives = untouchedAlternatives(await fresh.control<CoverageReport>("GET", "/coverage"));
  expect(alternatives.length).toBeGreaterThan(0);
  for (const assumptions of alternatives) {
    const other = await createSandbox({ assumptions });
    try {
      expect(await failedSteps(other.account(), recording), JSON.stringify(assumptions)).toEqual([]);
    } finally {
      await other.close();
    }
  }
});
