import { describe, expect, test } from "vitest";
import type { OutcomeName } from "../../../src/index.js";
import { useSandbox } from "../../support/sandbox.js";
import { customer, freshOverview, openShop, type Shop } from "./shop.js";

const sandbox = useSandbox();
const path = "/test/simulate-payment";

const idsOf = (payments: { id: string }[]) => payments.map(({ id }) => id);

test("a transfer returns its status and payment id, and is listed with all its fields", async () => {
  const shop = await openShop(sandbox.account());
  await shop.account.clock.freeze();
  const { now } = await shop.account.clock.get();
  const body = { virtual_account_id: await shop.number, amount: 12_345.67 };
  const reply = await shop.ask("POST", path, body);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({ status: "success", payment_id: expect.stringMatching(/^pay_[a-z0-9]+$/) });
  expect(await shop.payments()).toEqual([
    {
      id: reply.body.payment_id,
      method: "transfer",
      status: "success",
      amount: 12_345.67,
      fee: 123.46,
      net: 12_222.21,
      payer_name: customer.customer_name,
      virtual_account_id: body.virtual_account_id,
      test: true,
      paid_at: now,
    },
  ]);
});

test("a transfer is for test keys only: 403 test_mode_only on a live key, and nothing changes", async () => {
  const shop = await openShop(sandbox.account({ mode: "live" }));
  const { id } = await shop.createNumber({ bvn: "22198765431" });
  const { status, body } = await shop.ask("POST", path, { virtual_account_id: id, amount: 5_000 });
  expect({ status, code: body.error.code }).toEqual({ status: 403, code: "test_mode_only" });
  expect(await shop.payments()).toEqual([]);
  expect(await shop.overview()).toEqual({ ...freshOverview, live: true });
});

test("an account number that does not exist, or is another account's, is 404", async () => {
  const [shop, stranger] = [await openShop(sandbox.account()), await openShop(sandbox.account())];
  for (const virtual_account_id of [await shop.number, "va_0", ""]) {
    const { status, body } = await stranger.ask("POST", path, { virtual_account_id, amount: 5_000 });
    expect({ status, ...body.error }).toMatchObject({
      status: 404,
      code: "resource_not_found",
      param: "virtual_account_id",
    });
  }
  expect(await shop.payments()).toEqual([]);
});

test.each(["virtual_account_id", "amount"])("a transfer without %s is 400 missing_field", async (field) => {
  const shop = await openShop(sandbox.account());
  const right = { virtual_account_id: await shop.number, amount: 5_000 };
  const { status, body } = await shop.ask("POST", path, { ...right, [field]: undefined });
  expect({ status, ...body.error }).toMatchObject({ status: 400, code: "missing_field", param: field });
});

describe("the fee of a transfer, and of a charge of the same amount,", () => {
  test.each([
    [100, 50, 50],
    [4_999.99, 50, 4_949.99],
    [5_000, 50, 4_950],
    [5_000.49, 50, 4_950.49],
    [5_000.5, 50.01, 4_950.49],
    [5_001, 50.01, 4_950.99],
    [5_001.49, 50.01, 4_951.48],
    [5_001.5, 50.02, 4_951.48],
    [12_345.67, 123.46, 12_222.21],
    [99_999.99, 1_000, 98_999.99],
    [5_000_000, 50_000, 4_950_000],
  ])("of NGN %d is %d, and the shop gets %d", async (amount, fee, net) => {
    const shop = await openShop(sandbox.account());
    const { payment_id } = await shop.transfer(amount);
    expect(await shop.payment(payment_id)).toMatchObject({ amount, fee, net });
    expect(await shop.overview()).toMatchObject({ balance: net, fees_charged: fee, received: amount });
    const paidByCard = await openShop(sandbox.account());
    const id = await paidByCard.cardPayment(amount);
    expect(await paidByCard.payment(id)).toMatchObject({ amount, fee, net });
    expect(await paidByCard.overview()).toMatchObject({ balance: net, fees_charged: fee });
  });
});

/** Status and events of each outcome of simulatePayment. */
const outcomes: [outcome: string, status: string, kinds: string[], money: object][] = [
  ["success", "success", ["payment.received"], { balance: 4_950, held: 0 }],
  ["failed", "failed", ["payment.failed"], { balance: 0, held: 0 }],
  ["held", "held", [], { balance: 0, held: 5_000 }],
  ["issue", "held", ["payment.issue"], { balance: 0, held: 5_000 }],
  ["pending", "pending", [], { balance: 0, held: 0 }],
];

describe("the outcome of a transfer", () => {
  async function expectLeft(shop: Shop, id: string, [, status, kinds, money]: (typeof outcomes)[number]) {
    expect((await shop.payment(id)).status).toBe(status);
    expect((await shop.kinds()).slice(1)).toEqual(kinds);
    expect(await shop.overview()).toMatchObject(money);
  }

  test.each(outcomes)("%s by header: the payment is %s, the events are %j", async (...row) => {
    const shop = await openShop(sandbox.account());
    const { status, payment_id } = await shop.transfer(5_000, row[0]);
    expect(status).toBe(row[1]);
    await expectLeft(shop, payment_id, row);
  });

  test.each(outcomes)("%s by a rule: the payment is %s, the events are %j", async (...row) => {
    const shop = await openShop(sandbox.account());
    await shop.account.rules.add({ on: "simulatePayment", outcome: row[0] as OutcomeName, times: 1 });
    const { payment_id } = await shop.transfer(5_000);
    await expectLeft(shop, payment_id, row);
    expect((await shop.transfer(5_000)).status).toBe("success");
  });

  test.each(["internal_error", "provider_unavailable", "provider_timeout", "rate_limited"])(
    "%s refuses it, and there is no payment",
    async (outcome) => {
      const shop = await openShop(sandbox.account());
      const body = { virtual_account_id: await shop.number, amount: 5_000 };
      const reply = await shop.ask("POST", path, body, { "X-Sandbox-Outcome": outcome });
      expect(reply.body.error.code).toBe(outcome);
      expect(await shop.payments()).toEqual([]);
      expect(await shop.overview()).toEqual(freshOverview);
    },
  );
});

test("a pending transfer can still succeed or fail by hand", async () => {
  const shop = await openShop(sandbox.account());
  const [one, other] = [await shop.transfer(5_000, "pending"), await shop.transfer(7_000, "pending")];
  await shop.move(one.payment_id, "succeed");
  await shop.move(other.payment_id, "fail");
  expect((await shop.payments()).map(({ status }) => status)).toEqual(["failed", "success"]);
  expect((await shop.kinds()).slice(1)).toEqual(["payment.received", "payment.failed"]);
});

describe("the list of payments", () => {
  async function shopWithAll() {
    const shop = await openShop(sandbox.account());
    const other = await shop.createNumber();
    const ids: Record<string, string> = {};
    for (const [outcome] of outcomes) ids[outcome] = (await shop.transfer(5_000, outcome)).payment_id;
    const toOther = { virtual_account_id: other.id, amount: 700 };
    ids.other = (await shop.got("POST", path, toOther)).payment_id;
    ids.card = await shop.cardPayment(900);
    return { shop, other, ids };
  }

  test("has every payment, newest first", async () => {
    const { shop, ids } = await shopWithAll();
    expect(idsOf(await shop.payments())).toEqual(Object.values(ids).reverse());
  });

  test("is filtered by status", async () => {
    const { shop, ids } = await shopWithAll();
    expect(idsOf(await shop.payments("?status=success"))).toEqual([ids.card, ids.other, ids.success]);
    expect(idsOf(await shop.payments("?status=held"))).toEqual([ids.issue, ids.held]);
    expect(idsOf(await shop.payments("?status=failed"))).toEqual([ids.failed]);
  });

  test("is filtered by virtual_account_id, and by both", async () => {
    const { shop, other, ids } = await shopWithAll();
    expect(idsOf(await shop.payments(`?virtual_account_id=${other.id}`))).toEqual([ids.other]);
    expect(await shop.payments(`?virtual_account_id=${other.id}&status=held`)).toEqual([]);
    const held = await shop.payments(`?status=held&virtual_account_id=${await shop.number}`);
    expect(idsOf(held)).toEqual([ids.issue, ids.held]);
    expect(await shop.payments("?virtual_account_id=va_0")).toEqual([]);
  });

  test.each(["pending", "paid", "SUCCESS", ""])("refuses the status %j with 400", async (status) => {
    const shop = await openShop(sandbox.account());
    const reply = await shop.ask("GET", `/payments?status=${status}`);
    expect({ status: reply.status, ...reply.body.error }).toMatchObject({
      status: 400,
      code: "validation_error",
      param: "status",
    });
    for (const right of ["success", "held", "failed"]) expect(reply.body.error.message).toContain(right);
  });
});
