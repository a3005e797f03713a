/** The mutation test of drift: a second sandbox plays the real service, with exactly one assumption switched. */
import { describe, expect, test } from "vitest";
import { type DriftPlan, planDrift } from "../../src/drift/plan-drift.js";
import type { DriftReport } from "../../src/drift/run-drift.js";
import { assumptions } from "../../src/service/assumptions.js";
import { isLong, shareOf } from "../support/repetitions.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { planAll, runPlan } from "./own-sandbox.js";
import { everything, limits, payOutMoney } from "./second-sandbox.js";

const scenarios = await planAll();
const plan = planDrift({ ...limits, means: everything, scenarios, all: false });
/** Returns all probes, and scenarios with refusals, lookups, states or amounts: all of these in long runs. */
const shortPlan = (turn: number): DriftPlan => {
  const only = shareOf(["phone", "identity", "business"] as const, 3, turn);
  return {
    ...plan,
    scenarios: planDrift({ ...limits, means: { ...everything, only }, scenarios, all: false }).scenarios,
  };
};

async function run(sandbox: ReturnType<typeof useListeningSandbox>, plan: DriftPlan): Promise<DriftReport> {
  const account = sandbox.account();
  await payOutMoney(account);
  return runPlan(plan, account);
}

/** Everything that is not as in the sandbox, or was not checked. */
const driftIn = ({ assumptions: probed, checks, findings, operations, noise }: DriftReport) => ({
  findings,
  unchecked: checks.filter(({ verdict }) => verdict === "could not check"),
  assumptions: probed.flatMap(({ verdict, assumption, flag }) =>
    verdict === "confirmed" ? [] : [[assumption, verdict, flag]],
  ),
  operations: operations.filter(({ verdict, reasons }) => verdict !== "same" || reasons.length > 0),
  noise,
});

test("a run within the default limits reaches most operations", () => {
  const usual = { maxCalls: 900, maxCost: 2_000, waitMs: 30_000 };
  const means = { ...everything, receives: false };
  const { calls, cost, scenarios: played } = planDrift({ ...usual, means, scenarios, all: false });
  expect(calls).toBeLessThanOrEqual(usual.maxCalls);
  expect(cost).toBeLessThanOrEqual(usual.maxCost);
  const reached = played.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === "call" ? [step.operation.id] : [])),
  );
  expect(new Set(reached).size).toBeGreaterThan(35);
});

describe("a service that agrees", () => {
  const sandbox = useListeningSandbox();

  test("has no drift", async () => {
    // What takes minutes of the account's clock takes seconds here.
    const means = { ...everything, slow: isLong };
    const whole = planDrift({ ...limits, means, scenarios, all: false });
    const report = await run(sandbox, whole);
    expect(driftIn(report)).toEqual({
      assumptions: [],
      findings: [],
      unchecked: [],
      operations: [],
      noise: [],
    });
    expect(report.operations.length).toBeGreaterThan(35);
    expect(report.calls).toBeLessThanOrEqual(whole.calls);
  });
});

const switches = assumptions.flatMap(({ id, switch: choice }) =>
  choice ? Object.keys(choice.alternatives).map((value) => [id, value] as const) : [],
);

/** A ninth of the alternatives, and all of them in long runs. In every run, probes.test.ts tries the probe of each assumption. */
const tried = shareOf(
  switches.map((one, turn) => [...one, turn] as const),
  9,
  0,
);

describe.each(tried)("a service with %s=%s", (id, value, turn) => {
  const sandbox = useListeningSandbox({ assumptions: { [id]: value } });

  test("contradicts this assumption and nothing else", async () => {
    expect(driftIn(await run(sandbox, shortPlan(turn)))).toEqual({
      assumptions: [[id, "contradicted", `--assume ${id}=${value}`]],
      findings: [],
      unchecked: [],
      operations: [],
      noise: [],
    });
  });
});
