/** Scenarios with more problems than anybody reads: they are refused, and a few problems are named. */
import { afterEach, expect, test } from "vitest";
import { call, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();
afterEach(() => expect(sandbox.warnings).toEqual([]));

const maxNamed = 20;
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const play = (scenario: object) =>
  call(sandbox.account(), "POST", "/_sandbox/scenarios", { name: "Many problems", ...scenario });

test.each<[string, object]>([
  ["records", { given: { payments: many(30, { amount: {} }) } }],
  ["rules without a subject", { rules: many(30, { outcome: "paid" }) }],
  ["rules on nothing", { rules: many(30, { on: "nothing", outcome: "paid" }) }],
  ["entries of the timeline", { timeline: many(30, { nothing: 1 }) }],
  ["entries of the timeline that do nothing known", { timeline: many(30, { after: "1m", do: "nothing" }) }],
  ["steps", { steps: many(30, { nothing: 1 }) }],
  ["calls", { steps: many(30, { call: "GET /v1/nothing" }) }],
  ["parts of each kind", { rules: many(15, {}), timeline: many(15, {}), steps: many(15, {}) }],
])("many wrong %s get 400 with the first problems", async (_which, scenario) => {
  const { status, body } = await play(scenario);
  expect([status, body.error.code, body.error.details.length]).toEqual([400, "validation_error", maxNamed]);
});

test.each<[string, object]>([
  ["rules", { rules: many(20_000, { outcome: "paid" }) }],
  ["steps", { steps: many(40_000, { nothing: 1 }) }],
  ["records", { given: { payments: many(40_000, { amount: {} }) } }],
])("the reply to a large scenario with wrong %s is short", async (_which, scenario) => {
  const { status, body } = await play(scenario);
  expect([status, body.error.code]).toEqual([400, "validation_error"]);
  expect(JSON.stringify(body).length).toBeLessThan(20_000);
});
