import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/client/account/account.js";
import { shareOf } from "../../support/repetitions.js";
import { call, post, useSandbox } from "../../support/sandbox.js";

const sandbox = useSandbox();

type Values = Record<string, string>;
const setUp = (account: SandboxAccount, state: string, params: object = {}) =>
  account.control<Values>("POST", "/pact/states", { state, params });

const modes = ["test", "live"] as const;
const overview = async (account: SandboxAccount) =>
  (await call(account, "GET", "/v1/business/overview")).body;

/** Amounts whose kobo select an outcome, that floats cannot add exactly, and on both sides of the receive limit. */
const amounts = [100, 4_999.99, 7_000.05, 7_000.57, 7_000.59, 7_000.68, 1_980_100, 5_000_000, 5_000_001, 9e8];

/** Short runs try each amount of a state on one of the two accounts. */
const of = (mode: (typeof modes)[number], names: Record<string, string>) =>
  Object.entries(names).flatMap(([name, state], at) =>
    shareOf(amounts, 2, at + modes.indexOf(mode)).map((amount) => [name, amount, state] as const),
  );

describe.each(modes)("with any amount, on a %s account", (mode) => {
  test.each(
    of(mode, {
      "a received payment": "success",
      "a settled balance": "success",
      "a failed payment": "failed",
      "a held payment": "held",
      "a payment with an issue": "held",
      "a payment with a resolved issue": "success",
    }),
  )("%s of %d is %s", async (name, amount, status) => {
    const account = sandbox.account({ mode });
    const { payment_id, virtual_account_id } = await setUp(account, name, { amount });
    const query = `virtual_account_id=${virtual_account_id}&status=${status}`;
    const { body } = await call(account, "GET", `/v1/business/payments?${query}`);
    expect(body.payments).toMatchObject([
      { id: payment_id, amount, status, method: "transfer", test: mode === "test" },
    ]);
    const { pending, available, held } = await overview(account);
    expect([pending, available, held].map((one) => one > 0)).toEqual([
      name === "a received payment" || name === "a payment with a resolved issue",
      name === "a settled balance",
      status === "held",
    ]);
  });

  test.each(
    of(mode, {
      "a requested payout": "requested",
      "a paid payout": "paid",
      "a rejected payout": "rejected",
      "a failed payout": "failed",
    }),
  )("%s of %d is %s", async (name, amount, state) => {
    const account = sandbox.account({ mode });
    const { payout_id } = await setUp(account, name, { amount });
    expect(await account.records.get(payout_id as string)).toMatchObject({ state, record: { amount } });
  });

  test.each(
    of(mode, {
      "a requested refund": "requested",
      "a processed refund": "processed",
      "a rejected refund": "rejected",
      "a failed refund": "failed",
    }),
  )("%s of %d is %s", async (name, amount, state) => {
    const account = sandbox.account({ mode });
    const { refund_id } = await setUp(account, name, { amount });
    expect(await account.records.get(refund_id as string)).toMatchObject({ state, record: { amount } });
  });
});

test("the largest payout and the smallest refund can be set up", async () => {
  const account = sandbox.account();
  await setUp(account, "a paid payout", { amount: 990_000_000 });
  await setUp(account, "a processed refund", { amount: 0.01 });
  expect(await account.events.list({ event: "payout.paid" })).toHaveLength(1);
  expect(await account.events.list({ event: "refund.processed" })).toHaveLength(1);
});

test("a held payment is above the receive limit by default", async () => {
  const account = sandbox.account();
  const { amount } = await setUp(account, "a held payment");
  expect(Number(amount)).toBeGreaterThan((await overview(account)).limit);
});

test("a business is verified only if the sum of all payments exceeds the receive limit", async () => {
  const account = sandbox.account();
  await setUp(account, "a received payment", { amount: 3_000_000 });
  expect((await overview(account)).business_verified).toBe(false);
  await setUp(account, "a received payment", { amount: 3_000_000 });
  expect(await overview(account)).toMatchObject({ business_verified: true, received: 6_000_000 });
});

test("an outcome of an earlier state does not affect the records of a later one", async () => {
  const account = sandbox.account();
  await setUp(account, "an outcome", { operation: "simulatePayment", outcome: "failed" });
  await setUp(account, "a settled balance");
  expect((await post(account, "/v1/business/payouts", { amount: 700 })).status).toBe(201);
});
