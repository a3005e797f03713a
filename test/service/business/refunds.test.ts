import { beforeEach, describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { asking, openShop, type Shop } from "./shop.js";

const sandbox = useSandbox();

/** A shop with a frozen clock and a payment of NGN 10,000, whose fee is 100. */
let shop: Shop;
let paid: string;
beforeEach(async () => {
  shop = await openShop(sandbox.account());
  await shop.account.clock.freeze();
  paid = (await shop.transfer(10_000)).payment_id;
});

const ask = (body: object, headers?: Record<string, string>) =>
  shop.ask("POST", "/refunds", { reason: "Returned goods", ...body }, headers);
const statusOf = async ({ id }: { id: string }) => (await shop.account.records.get(id)).record.status;
const kinds = async () => (await shop.kinds()).filter((kind) => kind.startsWith("refund."));
const money = async () => {
  const { pending, available, held, fees_charged, received } = await shop.overview();
  return { pending, available, held, fees_charged, received };
};
const untouched = { pending: 9_900, available: 0, held: 0, fees_charged: 100, received: 10_000 };

describe("a refund", () => {
  test("without an amount requests the whole payment", async () => {
    const { status, body } = await ask({ payment_id: paid });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^rf_[a-z0-9]+$/),
      reference: expect.stringMatching(/^rf-[a-z0-9]+$/),
      status: "requested",
      amount: 10_000,
      reason: "Returned goods",
    });
    expect(await kinds()).toEqual(["refund.requested"]);
    expect(await money()).toEqual(untouched);
  });

  test("of all is processed after a minute: the payment comes off the balance and its whole fee is returned", async () => {
    const refund = await shop.refund(paid);
    await shop.account.advance("59s999ms");
    expect(await money()).toEqual(untouched);
    await shop.account.advance("1ms");
    expect(await statusOf(refund)).toBe("processed");
    expect(await money()).toEqual({ ...untouched, pending: 0, fees_charged: 0 });
    expect(await shop.payment(paid)).toMatchObject({
      status: "success",
      amount: 10_000,
      fee: 100,
      net: 9_900,
    });
    expect(await kinds()).toEqual(["refund.requested", "refund.processed"]);
  });

  test("of a part takes that part, less the fee on it", async () => {
    expect(await shop.refund(paid, 2_500)).toMatchObject({ status: "requested", amount: 2_500 });
    await shop.account.advance("1m");
    expect(await money()).toEqual({ ...untouched, pending: 7_425, fees_charged: 75 });
  });

  test("of an unsettled payment comes out of pending, and what is left settles", async () => {
    await shop.refund(paid, 4_000);
    await shop.account.advance("24h");
    expect(await money()).toEqual({ ...untouched, pending: 0, available: 5_940, fees_charged: 60 });
  });

  test("of a settled payment comes out of available", async () => {
    await shop.account.advance("24h");
    await shop.transfer(10_000);
    await shop.refund(paid, 4_000);
    await shop.account.advance("1m");
    expect(await money()).toMatchObject({ pending: 9_900, available: 5_940, fees_charged: 160 });
  });

  test("requested before and processed after the settlement comes out of available", async () => {
    await shop.account.advance("23h59m30s");
    await shop.refund(paid);
    await shop.account.advance("1m");
    expect(await money()).toEqual({ ...untouched, pending: 0, available: 0, fees_charged: 0 });
  });

  test("fails if a payout takes the money before it is processed, and the payment can be refunded again later", async () => {
    await shop.account.advance("24h");
    await shop.setPayoutAccount();
    const refund = await shop.refund(paid);
    await shop.payout(9_900);
    await shop.account.advance("1m");
    expect(await statusOf(refund)).toBe("failed");
    expect(await shop.overview()).toMatchObject({ available: 0, balance: 0, fees_charged: 150 });
    await shop.settledTransfer(20_000);
    const second = await shop.refund(paid);
    await shop.account.advance("1m");
    expect(await statusOf(second)).toBe("processed");
    expect(await shop.overview()).toMatchObject({ available: 9_900, balance: 9_900 });
  });

  test("one of two that the balance can pay for only once fails when it is processed, by hand too", async () => {
    await shop.account.advance("24h");
    await shop.setPayoutAccount();
    await shop.payout(5_000);
    const [first, second] = [await shop.refund(paid, 4_000), await shop.refund(paid, 4_000)];
    expect(await shop.move(first.id, "process")).toMatchObject({ state: "processed" });
    expect(await shop.move(second.id, "process")).toMatchObject({ state: "failed" });
    expect(await shop.overview()).toMatchObject({ available: 940, balance: 940 });
  });

  test("needs no card or payout account, and works on a live key", async () => {
    shop = await openShop(sandbox.account({ mode: "live" }));
    await shop.refund(await shop.cardPayment(10_000));
    await shop.account.advance("1m");
    expect(await money()).toEqual({ ...untouched, pending: 0, fees_charged: 0 });
  });
});

describe("a refund is refused", () => {
  async function expectRefused(body: object, status: number, error: object) {
    const [before, events] = [await shop.overview(), await shop.kinds()];
    const reply = await ask(body);
    expect({ status: reply.status, ...reply.body.error }).toMatchObject({ status, ...error });
    expect([await shop.overview(), await shop.kinds()]).toEqual([before, events]);
  }

  test.each(["pending", "held", "issue", "failed"])(
    "of a payment whose outcome is %s: 422 not_refundable",
    async (outcome) => {
      const { payment_id } = await shop.transfer(10_000, outcome);
      await expectRefused({ payment_id }, 422, { code: "not_refundable", param: "payment_id" });
    },
  );

  test("of an unpaid charge: 422 not_refundable", async () => {
    await shop.charge(10_000);
    const [{ id }] = (await shop.payments()) as [{ id: string }];
    await expectRefused({ payment_id: id }, 422, { code: "not_refundable" });
  });

  test("of a payment that does not exist, or is another account's: 404", async () => {
    const stranger = await openShop(sandbox.account());
    const { payment_id } = await stranger.transfer(10_000);
    for (const id of ["pay_0", "", payment_id])
      await expectRefused({ payment_id: id }, 404, { code: "resource_not_found", param: "payment_id" });
  });

  test("of more than is available after a payout: 422, which says what the refund takes and what is there", async () => {
    await shop.account.advance("24h");
    await shop.setPayoutAccount();
    await shop.payout(5_000);
    const error = { code: "insufficient_available_balance", param: "amount" };
    const message = expect.stringMatching(/takes NGN 4,900\.50 .* only NGN 4,900\.00 is available/);
    await expectRefused({ payment_id: paid, amount: 4_950 }, 422, { ...error, message });
    expect(await shop.refund(paid, 4_949.49)).toMatchObject({ status: "requested" });
    // Money that is still pending pays for refunds of its own payment only.
    const { payment_id } = await shop.transfer(30_000);
    await expectRefused({ payment_id: paid }, 422, error);
    expect(await shop.refund(payment_id)).toMatchObject({ amount: 30_000 });
  });

  test("of more than was paid: 422 refund_exceeds_payment, which says what is left", async () => {
    const message = expect.stringContaining("NGN 10,000.00");
    const error = { code: "refund_exceeds_payment", param: "amount", message };
    await expectRefused({ payment_id: paid, amount: 10_000.01 }, 422, error);
  });

  test.each([
    ["payment_id", undefined, "missing_field"],
    ["reason", undefined, "missing_field"],
    ["payment_id", 7, "validation_error"],
    ["reason", "", "validation_error"],
  ])("with %s %j: 400 %s", async (field, value, code) => {
    await expectRefused({ payment_id: paid, [field]: value }, 400, { code, param: field });
  });

  test.each([
    ["internal_error", 500],
    ["provider_unavailable", 503],
    ["provider_timeout", 504],
    ["rate_limited", 429],
  ])("under the outcome %s, and nothing is requested", async (outcome, status) => {
    expect((await ask({ payment_id: paid }, asking(outcome))).status).toBe(status);
    expect(await kinds()).toEqual([]);
    expect(await shop.refund(paid, 10_000)).toMatchObject({ status: "requested" });
  });
});

/** Each outcome of createRefund, and the payment's money afterwards. */
const outcomes = [
  ["processed", { pending: 0, fees_charged: 0 }],
  ["failed", {}],
  ["rejected", {}],
  ["requested", {}],
] as const;

describe.each(outcomes)("a refund that ends %s changes %j", (outcome, changes) => {
  async function expectOutcome(refund: { id: string }) {
    await shop.account.advance("1m");
    expect((await shop.account.records.get(refund.id)).record).toEqual({ ...refund, status: outcome });
    expect(await money()).toEqual({ ...untouched, ...changes });
    const decided = outcome === "requested" ? [] : [`refund.${outcome}`];
    expect(await kinds()).toEqual(["refund.requested", ...decided]);
    const left = outcome === "failed" || outcome === "rejected" ? 201 : 422;
    expect((await ask({ payment_id: paid, amount: 10_000 })).status).toBe(left);
  }

  test("by header", async () => {
    await expectOutcome(await shop.refund(paid, undefined, outcome));
  });

  test("by a rule", async () => {
    await shop.account.rules.add({ on: "createRefund", outcome, times: 1 });
    await expectOutcome(await shop.refund(paid));
  });
});

test.each([
  ["process", "processed", { pending: 0, fees_charged: 0 }],
  ["fail", "failed", {}],
  ["reject", "rejected", {}],
])(
  "%s by hand decides a refund early, and the clock decides it no second time",
  async (move, status, changes) => {
    const refund = await shop.refund(paid);
    await shop.move(refund.id, move);
    expect(await statusOf(refund)).toBe(status);
    expect((await shop.account.advance("1h")).ran).toEqual([]);
    expect(await money()).toEqual({ ...untouched, ...changes });
    expect(await kinds()).toEqual(["refund.requested", `refund.${status}`]);
    await expect(shop.move(refund.id, move)).rejects.toMatchObject({ code: "invalid_state" });
  },
);
