import { describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { freshOverview, openShop, type Shop } from "./shop.js";

const sandbox = useSandbox();
const failingCard = "4000000000005126";

/** Refunds the parts, each processed before the next. */
async function refundParts(shop: Shop, id: string, parts: readonly number[]): Promise<void> {
  for (const part of parts) {
    await shop.refund(id, part);
    await shop.account.advance("1m");
  }
}

const excess = async (shop: Shop, payment_id: string, amount?: number) =>
  (await shop.ask("POST", "/refunds", { payment_id, amount, reason: "Returned goods" })).body.error?.code;

describe("refunds of parts add up to the payment and to its fee, to the kobo:", () => {
  test.each([
    [10_000, [2_500, 2_500, 5_000]],
    [10_000, [3_333.33, 3_333.33, 3_333.34]],
    [12_345.67, [0.01, 0.02, 12_345.64]],
    [12_345.67, [12_345.66, 0.01]],
    [5_000.5, [1_666.83, 1_666.83, 1_666.84]],
    [101, [33.67, 33.67, 33.66]],
    [100, [0.01, 49.99, 50]],
    [5_000_000, [1_234_567.89, 0.11, 3_765_432]],
  ])("of NGN %d as %j, settled or not", async (amount, parts) => {
    for (const settle of [false, true]) {
      const shop = await openShop(sandbox.account());
      const { payment_id: id } = await shop.transfer(amount);
      if (settle) await shop.move(id, "settle");
      await refundParts(shop, id, parts);
      const nothingLeft = { received: amount, remaining: (500_000_000 - Math.round(amount * 100)) / 100 };
      expect(await shop.overview()).toEqual({ ...freshOverview, ...nothingLeft });
      expect(await excess(shop, id, 0.01)).toBe("refund_exceeds_payment");
      expect(await excess(shop, id)).toBe("refund_exceeds_payment");
      expect(await shop.count("refund.processed")).toBe(parts.length);
    }
  });

  test("the fee of each part is its share, rounded half up together with the earlier parts", async () => {
    const shop = await openShop(sandbox.account());
    const { payment_id: id } = await shop.transfer(101);
    const fees: number[] = [];
    for (const part of [0.01, 0.01, 50.48, 50.5]) {
      await refundParts(shop, id, [part]);
      fees.push((await shop.overview()).fees_charged);
    }
    // 50 × 0.01 / 101 is 0.00495, which rounds to 0; twice that is 0.0099, which rounds to a kobo.
    expect(fees).toEqual([50, 49.99, 25, 0]);
  });
});

describe("what is left to refund", () => {
  test("excludes open refunds: a kobo more is 422, the rest is accepted", async () => {
    const shop = await openShop(sandbox.account());
    const { payment_id: id } = await shop.transfer(10_000);
    await shop.refund(id, 6_000, "requested");
    await shop.refund(id, 1_000);
    expect(await excess(shop, id, 3_000.01)).toBe("refund_exceeds_payment");
    expect(await shop.refund(id)).toMatchObject({ amount: 3_000 });
    expect(await excess(shop, id, 0.01)).toBe("refund_exceeds_payment");
    expect(await excess(shop, id)).toBe("refund_exceeds_payment");
  });

  test.each(["failed", "rejected"])("includes the part of a refund that is %s", async (outcome) => {
    const shop = await openShop(sandbox.account());
    const { payment_id: id } = await shop.transfer(10_000);
    await shop.refund(id, 6_000, outcome);
    expect(await excess(shop, id, 4_000.01)).toBe("refund_exceeds_payment");
    await shop.account.advance("1m");
    expect(await shop.refund(id)).toMatchObject({ amount: 10_000 });
  });

  test("is refunded at most once by 20 concurrent requests", async () => {
    const shop = await openShop(sandbox.account());
    const { payment_id } = await shop.transfer(10_000);
    const body = { payment_id, reason: "Returned goods" };
    const replies = await Promise.all(Array.from({ length: 20 }, () => shop.ask("POST", "/refunds", body)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(19);
    await shop.account.advance("1m");
    expect(await shop.overview()).toMatchObject({ balance: 0, fees_charged: 0 });
  });
});

describe("a refund of a payment that is held for an issue in the meantime", () => {
  test("comes out of what is held, and the rest is received when the issue is resolved", async () => {
    const shop = await openShop(sandbox.account());
    const { payment_id: id } = await shop.transfer(10_000);
    await shop.refund(id, 4_000);
    await shop.move(id, "raise_issue");
    expect(await shop.overview()).toMatchObject({ held: 10_000, balance: 0, fees_charged: 0 });
    await shop.account.advance("1m");
    expect(await shop.count("refund.processed")).toBe(1);
    expect(await shop.overview()).toMatchObject({ held: 6_000, balance: 0, fees_charged: 0 });
    await shop.move(id, "resolve_issue");
    expect(await shop.overview()).toMatchObject({
      held: 0,
      pending: 5_940,
      fees_charged: 60,
      received: 10_000,
    });
    await shop.account.advance("24h");
    expect(await shop.overview()).toMatchObject({ pending: 0, available: 5_940 });
  });

  test("of all of it leaves nothing held and nothing received", async () => {
    const shop = await openShop(sandbox.account());
    const { payment_id: id } = await shop.transfer(10_000);
    await shop.refund(id);
    await shop.move(id, "raise_issue");
    await shop.account.advance("1m");
    expect(await shop.overview()).toMatchObject({ held: 0, balance: 0, fees_charged: 0 });
    await shop.move(id, "resolve_issue");
    expect(await shop.overview()).toMatchObject({ held: 0, balance: 0, fees_charged: 0, received: 10_000 });
  });

  test("cannot be requested while it is held", async () => {
    const shop = await openShop(sandbox.account());
    const { payment_id: id } = await shop.transfer(10_000);
    await shop.move(id, "raise_issue");
    expect(await excess(shop, id)).toBe("not_refundable");
  });

  test("in part leaves the rest to be returned to the customer when the payment fails", async () => {
    const shop = await openShop(sandbox.account());
    const { payment_id: id } = await shop.transfer(10_000);
    await refundParts(shop, id, [4_000]);
    await shop.move(id, "raise_issue");
    expect(await shop.overview()).toMatchObject({ held: 6_000, balance: 0, fees_charged: 0 });
    await shop.move(id, "fail");
    expect(await shop.overview()).toEqual(freshOverview);
  });

  test("fails if the payment has failed, as no money is left", async () => {
    const shop = await openShop(sandbox.account());
    const { payment_id: id } = await shop.transfer(10_000);
    const refund = await shop.refund(id, 4_000);
    await shop.move(id, "raise_issue");
    await shop.move(id, "fail");
    await shop.account.advance("1m");
    expect((await shop.account.records.get(refund.id)).record.status).toBe("failed");
    expect((await shop.kinds()).slice(-2)).toEqual(["payment.failed", "refund.failed"]);
    expect(await shop.overview()).toEqual(freshOverview);
  });
});

describe("a card payment", () => {
  test("is refunded to the card like any other", async () => {
    const shop = await openShop(sandbox.account());
    await shop.refund(await shop.cardPayment(10_000));
    await shop.account.advance("1m");
    expect(await shop.overview()).toMatchObject({ balance: 0, fees_charged: 0, received: 10_000 });
    expect(await shop.count("refund.processed")).toBe(1);
  });

  test(`of the card ${failingCard} has its refund fail, whole or in part, and keeps its money`, async () => {
    const shop = await openShop(sandbox.account());
    const id = await shop.cardPayment(10_000, failingCard);
    for (const amount of [undefined, 2_500]) {
      const reply = await shop.ask("POST", "/refunds", { payment_id: id, amount, reason: "Returned goods" });
      expect(reply.headers.get("X-Sandbox-Outcome")).toBe("failed; by=test-value");
      await shop.account.advance("1m");
    }
    expect(await shop.count("refund.failed")).toBe(2);
    expect(await shop.overview()).toMatchObject({ balance: 9_900, fees_charged: 100 });
  });

  test("of a different card is refunded as usual", async () => {
    const shop = await openShop(sandbox.account());
    await shop.cardPayment(10_000, failingCard);
    const id = await shop.cardPayment(10_000);
    await shop.refund(id);
    await shop.account.advance("1m");
    expect(await shop.count("refund.processed")).toBe(1);
  });

  test("lets the kobo of a refund take precedence over its card", async () => {
    const shop = await openShop(sandbox.account());
    const id = await shop.cardPayment(10_000, failingCard);
    const body = { payment_id: id, amount: 100.57, reason: "Returned goods" };
    const { headers } = await shop.ask("POST", "/refunds", body);
    expect(headers.get("X-Sandbox-Outcome")).toBe("rejected; by=test-value");
  });
});
