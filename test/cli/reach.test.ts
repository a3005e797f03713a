/** A sandbox that is configured by its environment alone and used from elsewhere, at another port and host name. */
import { expect, test } from "vitest";
import { useMappedSandbox } from "./mapped-sandbox.js";

const { account } = useMappedSandbox();

/** Scenarios with hosted pages, uploads, a live key, and receivers that refuse, retry and attack. */
const names = [
  "address-verified",
  "card-checkout",
  "document-and-face",
  "live-key",
  "webhook-adversary",
  "webhook-retries",
];

test.each(names)("the scenario %s passes from outside", async (name) => {
  const { steps, passed } = await account(name === "live-key" ? "live" : "test").scenario.run(name);
  expect(steps.filter(({ problems }) => problems.length > 0)).toEqual([]);
  expect(passed).toBe(true);
});

test("the receivers of a scenario are reached through a relay", async () => {
  const receive = { receive: { answers: [500, 204] } };
  const list = { control: "GET /webhooks", expect: { items: [{ url: "relay:scenario-1" }] } };
  const event = { control: "POST /events", body: { event: "payout.paid", data: { amount: 7 } } };
  const webhook = {
    webhook: "payout.paid",
    expect: {
      deliveries: [{ status: "succeeded", attempts: [{ status: 500 }, { status: 204 }] }],
      received: [{ signed: true, body: { data: { amount: 7 } } }, { signed: true }],
    },
  };
  const remote = account();
  const given = { clock: "2026-03-01T09:00:00Z" };
  const steps = [receive, list, event, { advance: "10s" }, webhook];
  const result = await remote.scenario.run({ name: "From outside", given, steps });
  expect(result.steps.flatMap(({ problems }) => problems)).toEqual([]);
  expect(result.passed).toBe(true);
  expect(await remote.webhooks.list()).toEqual([]);
});
