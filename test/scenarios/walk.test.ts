/** Behaviour of scenario runs that the files in scenarios/ do not cover. */
import { expect, test } from "vitest";
import { customer, profile } from "../service/business/shop.js";
import { useSandbox } from "../support/sandbox.js";
import { ref } from "./files.js";

const sandbox = useSandbox();
const frozen = "2026-03-02T09:00:00Z";

async function walk(scenario: object) {
  const result = await sandbox.account().scenario.run({ name: "A walk", ...scenario });
  return { ...result, problems: result.steps.flatMap(({ problems }) => problems) };
}

test("events of the set-up are not returned to steps", async () => {
  const payments = [{ amount: 5_000 }];
  const pay = {
    call: "POST /v1/business/test/simulate-payment",
    body: { virtual_account_id: ref("given.virtual_accounts.0.id"), amount: 3_000 },
  };
  const news = { webhook: "payment.received", expect: { data: { amount: 3_000 } } };
  expect((await walk({ given: { payments }, steps: [pay, news] })).problems).toEqual([]);
  const { problems } = await walk({ given: { clock: frozen, payments }, steps: [news] });
  expect(problems).toEqual(["no payment.received came; nothing else happened"]);
});

test("while the clock is frozen, a webhook step does not wait for a missing event", async () => {
  const { problems, skipped, duration_ms } = await walk({
    given: { clock: frozen },
    steps: [
      { call: "PUT /v1/business/profile", body: profile },
      { call: "POST /v1/business/virtual-accounts", body: customer },
      { webhook: "payout.paid" },
      { advance: "1h" },
    ],
  });
  expect(problems).toEqual(["no payout.paid came; what happened: virtual_account.created"]);
  expect(skipped).toBe(1);
  expect(duration_ms).toBeLessThan(4_000);
});

test("a person can visit the location that an earlier step returned", async () => {
  const visit = {
    id: ref("given.addresses.0.id"),
    latitude: ref("given.addresses.0.address.latitude"),
    longitude: ref("given.addresses.0.address.longitude"),
  };
  const steps = [{ visit, expect: { status: "verified", confidence_score: 80 } }];
  expect((await walk({ given: { addresses: [{}] }, steps })).problems).toEqual([]);
});

test("a charge of given can be paid already, or have a declined card", async () => {
  const declined = { move: "pay", with: { card: "4000000000000002" } };
  const { problems } = await walk({
    given: { charges: [{ paid: true }, { moves: [declined] }] },
    steps: [
      { record: ref("given.charges.0.reference"), expect: { state: "paid" } },
      { record: ref("given.charges.1.reference"), expect: { record: { payment: { status: "failed" } } } },
    ],
  });
  expect(problems).toEqual([]);
});
