import { describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { freshOverview, openShop, payingCard, profile, Shop } from "./shop.js";

const sandbox = useSandbox();

/** The fee on NGN 12,345.67 is 123.46 (1 percent is 123.4567), and the shop gets 12,222.21. */
const amount = 12_345.67;
const received = { received: amount, remaining: 4_987_654.33, fees_charged: 123.46 };
const pending = { ...received, balance: 12_222.21, pending: 12_222.21 };
const available = { ...received, balance: 12_222.21, available: 12_222.21 };
const held = { held: amount };
const afterPayout = { ...received, balance: 2_222.21, available: 2_222.21 };

/** The returned part of the fee is 2,345.67 / 12,345.67 of it: 23.457…, rounded to 23.46. */
const part = 2_345.67;
const refunded = { ...received, fees_charged: 100, balance: 9_900, pending: 9_900 };

interface Case {
  kind: string;
  when: string;
  /** Fields of the overview before and after that differ from a new business. */
  before: object;
  after: object;
  arrange(shop: Shop): Promise<unknown>;
  /** Performs the event. */
  act(shop: Shop, arranged: never): Promise<unknown>;
}

const nothing = async () => undefined;
const received1 = (shop: Shop) => shop.transfer(amount);
const settled1 = (shop: Shop) => shop.settledTransfer(amount);
const move = (name: string) => (shop: Shop, id: string) => shop.move(id, name);
const paymentThat = (outcome?: string) => async (shop: Shop) =>
  (await shop.transfer(amount, outcome)).payment_id as string;
const paidOut = (outcome?: string) => async (shop: Shop) => {
  await settled1(shop);
  await shop.setPayoutAccount();
  return shop.payout(10_000, outcome);
};
const partRefunded = (outcome?: string) => async (shop: Shop) =>
  shop.refund((await received1(shop)).payment_id, part, outcome);
const aMinute = (shop: Shop) => shop.account.advance("1m");

const cases: Case[] = [
  {
    kind: "virtual_account.created",
    when: "an account number is created",
    before: {},
    after: {},
    arrange: nothing,
    act: (shop) => shop.createNumber(),
  },
  {
    kind: "payment.received",
    when: "a transfer arrives",
    before: {},
    after: pending,
    arrange: (shop) => shop.number,
    act: received1,
  },
  {
    kind: "payment.received",
    when: "a card pays",
    before: {},
    after: pending,
    arrange: (shop) => shop.charge(amount),
    act: (shop, charge) => shop.atCheckout(charge, { card: payingCard }),
  },
  {
    kind: "payment.settled",
    when: "24 hours are over",
    before: pending,
    after: available,
    arrange: received1,
    act: (shop) => shop.account.advance("24h"),
  },
  {
    kind: "payment.failed",
    when: "a transfer fails",
    before: {},
    after: {},
    arrange: (shop) => shop.number,
    act: (shop) => shop.transfer(amount, "failed"),
  },
  {
    kind: "payment.failed",
    when: "a held payment fails",
    before: held,
    after: {},
    arrange: paymentThat("held"),
    act: move("fail"),
  },
  {
    kind: "payment.issue",
    when: "a problem is found on what is pending",
    before: pending,
    after: held,
    arrange: paymentThat(),
    act: move("raise_issue"),
  },
  {
    kind: "payment.issue",
    when: "a problem is found on what is available",
    before: available,
    after: held,
    arrange: settled1,
    act: move("raise_issue"),
  },
  {
    kind: "payment.issue_resolved",
    when: "the problem of a payment that was available is resolved",
    before: held,
    after: available,
    arrange: async (shop) => {
      const id = await settled1(shop);
      await shop.move(id, "raise_issue");
      return id;
    },
    act: move("resolve_issue"),
  },
  {
    kind: "refund.requested",
    when: "a refund is requested",
    before: pending,
    after: pending,
    arrange: received1,
    act: (shop, { payment_id }: { payment_id: string }) => shop.refund(payment_id, part),
  },
  {
    kind: "refund.processed",
    when: "a refund of a part is approved",
    before: pending,
    after: refunded,
    arrange: partRefunded(),
    act: aMinute,
  },
  ...["failed", "rejected"].map((outcome) => ({
    kind: `refund.${outcome}`,
    when: `a refund is ${outcome}`,
    before: pending,
    after: pending,
    arrange: partRefunded(outcome),
    act: aMinute,
  })),
  {
    kind: "payout.requested",
    when: "a payout is requested",
    before: available,
    after: afterPayout,
    arrange: async (shop) => {
      await settled1(shop);
      await shop.setPayoutAccount();
    },
    act: (shop) => shop.payout(10_000),
  },
  {
    kind: "payout.paid",
    when: "a payout is paid, at a fee of NGN 50",
    before: afterPayout,
    after: { ...afterPayout, fees_charged: 173.46 },
    arrange: paidOut(),
    act: aMinute,
  },
  ...["failed", "rejected"].map((outcome) => ({
    kind: `payout.${outcome}`,
    when: `a payout is ${outcome}`,
    before: afterPayout,
    after: available,
    arrange: paidOut(outcome),
    act: aMinute,
  })),
];

describe("the overview is right to the kobo before and after", () => {
  test.each(cases)("$kind: $when", async ({ kind, before, after, arrange, act }) => {
    const shop = await openShop(sandbox.account());
    const arranged = await arrange(shop);
    expect(await shop.overview()).toEqual({ ...freshOverview, ...before });
    const count = await shop.count(kind);
    await act(shop, arranged as never);
    expect(await shop.overview()).toEqual({ ...freshOverview, ...after });
    expect(await shop.count(kind)).toBe(count + 1);
  });
});

test("remaining is null once the business is verified, whatever was received", async () => {
  const shop = await openShop(sandbox.account());
  await shop.transfer(amount);
  await shop.verify();
  const verified = { ...freshOverview, ...pending, business_verified: true, remaining: null };
  expect(await shop.overview()).toEqual(verified);
  await shop.account.update({ business_verified: false });
  expect(await shop.overview()).toEqual({ ...freshOverview, ...pending });
});

test.each([
  ["test", false],
  ["live", true],
] as const)("the overview of a %s key says live: %s, before the profile and after it", async (mode, live) => {
  const shop = new Shop(sandbox.account({ mode }));
  expect(await shop.overview()).toEqual({ ...freshOverview, status: "setup_required", live });
  await shop.got("PUT", "/profile", profile);
  expect(await shop.overview()).toEqual({ ...freshOverview, live });
});

test("what one account receives shows in no other account's overview", async () => {
  const [one, other] = [await openShop(sandbox.account()), await openShop(sandbox.account())];
  await one.transfer(amount);
  expect(await other.overview()).toEqual(freshOverview);
});
