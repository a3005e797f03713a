import { describe, expect, test } from "vitest";
import { groups } from "../../src/drift/groups.js";
import { planDrift, runDrift } from "../../src/drift/run-drift.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { planAll, startOurs } from "./own-sandbox.js";
import { defaults, meansFor } from "./second-sandbox.js";

const plan = planDrift({ only: groups, scenarios: await planAll(), all: false, maxCalls: 400 });

async function run(sandbox: ReturnType<typeof useListeningSandbox>) {
  const means = await meansFor(sandbox.account());
  try {
    return await runDrift({ plan, inForce: defaults, means, prefix: "standin-drift-test", at: 0, startOurs });
  } finally {
    await means.receiver.close();
  }
}

test("a run over all groups makes at most 400 calls and says what they may cost", () => {
  expect(plan.cost).toBeGreaterThan(0);
  expect(plan.calls).toBeLessThanOrEqual(400);
});

describe("a service that agrees", () => {
  const sandbox = useListeningSandbox();
  test("has no drift", async () => {
    const report = await run(sandbox);
    expect(report.operations.flatMap(({ findings }) => findings)).toEqual([]);
    expect(report.assumptions.filter(({ verdict }) => verdict !== "confirmed")).toEqual([]);
    expect(report.calls).toBeLessThanOrEqual(plan.calls);
  });
});
