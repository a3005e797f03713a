import { expect, test } from "vitest";
import { sections } from "../../src/scenarios/given-sections.js";
import { call, post, useSandbox } from "../support/sandbox.js";

const sandbox = useSandbox();

/** Required fields of sections. */
const needed: Record<string, object> = { webhooks: { url: "https://shop.example.com/webhooks" } };

test.each(Object.keys(sections))("%s: a live account can have them, as a test account can", async (name) => {
  const fields = needed[name] ?? {};
  const section = sections[name]?.isSingle ? fields : [fields];
  const account = sandbox.account({ mode: "live" });
  const { given } = await account.scenario.load({ name: "A story", given: { [name]: section } });
  expect(given[name]).toMatchObject(section);
});

test("payments, payouts and refunds of a live account are made as on a test account", async () => {
  const account = sandbox.account({ mode: "live" });
  await account.scenario.load({
    name: "A story",
    given: {
      virtual_accounts: [{ nin: "35402817694" }],
      payments: [{ amount: 60_000, settled: true }, { amount: 700 }],
      payouts: [{ amount: 9_000, paid: true }],
      refunds: [{ amount: 500, processed: true }],
    },
  });
  const { payments } = (await call(account, "GET", "/v1/business/payments")).body;
  expect(payments).toMatchObject([
    { method: "transfer", amount: 700, status: "success", test: false },
    { method: "transfer", amount: 60_000, status: "success", test: false },
  ]);
});

test("neither a client with a live key nor a timeline can simulate a payment", async () => {
  const account = sandbox.account({ mode: "live" });
  const { given } = await account.scenario.load({
    name: "A story",
    given: { virtual_accounts: [{}] },
    timeline: [{ after: "1m", do: "simulate_payment" }],
  });
  const [{ id }] = given.virtual_accounts as [{ id: string }];
  const asked = { virtual_account_id: id, amount: 700 };
  expect((await post(account, "/v1/business/test/simulate-payment", asked)).status).toBe(403);
  await account.advance("2m");
  expect((await call(account, "GET", "/v1/business/payments")).body).toEqual({ payments: [] });
});
