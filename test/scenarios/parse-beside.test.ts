/** An invalid part does not hide the problems of others. */
import { expect, test } from "vitest";
import { lines, wrongIn } from "./files.js";

const places = async (...text: string[]) =>
  (await wrongIn(lines("name: X", ...text))).map((line) => line.split(" ")[1]);

test("an unknown key of a rule does not hide the unknown operation of another", async () => {
  const found = await places(
    "rules:",
    "  - { on: createPayot, outcome: rejected }",
    "  - { on: createPayout, outcom: x }",
    "  - just this",
    "  - { on: createPayout, outcome: lost }",
  );
  expect(found).toEqual(["rules.0.on:", "rules.1.outcom:", "rules.2:", "rules.3.outcome:"]);
});

test("an unknown key of a timeline entry does not hide problems of other entries", async () => {
  const found = await places(
    "timeline:",
    "  - { after: soon, do: create_payout, with: { amount: 900 } }",
    "  - { aftr: 1s, do: create_payout, with: { amount: 900 } }",
    "  - { after: 1s, do: create_payot }",
  );
  expect(found).toEqual(["timeline.0.after:", "timeline.1.aftr:", "timeline.2.do:"]);
});

test("an invalid step does not hide problems of other steps", async () => {
  const found = await places("steps:", "  - { call: GET /v1/balances }", "  - wait", "  - { advance: soon }");
  expect(found).toEqual(["steps.0.call:", "steps.1:", "steps.2.advance:"]);
});

test("an unknown section does not hide problems of others", async () => {
  const found = await places(
    "given:",
    "  clock: 5",
    "  paymnts: [{}]",
    "  payouts: [{ outcome: lost }]",
    "  people: {}",
    "  webhooks: [{}]",
  );
  expect(found).toEqual([
    "given.clock:",
    "given.paymnts:",
    "given.payouts.0.outcome:",
    "given.people:",
    "given.webhooks.0.url:",
  ]);
});
