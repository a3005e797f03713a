/** Interface: "Business payments" in States and transitions. Each row is a test in the row's words. */
import { beforeEach, describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { freshOverview, openShop, type Shop } from "./shop.js";

const sandbox = useSandbox();

let shop: Shop;
beforeEach(async () => {
  shop = await openShop(sandbox.account());
});

const stateOf = async ({ id }: { id: string }) => (await shop.account.records.get(id)).state;
const lastEvent = async () => (await shop.kinds()).at(-1);

describe("Payout", () => {
  const before = {
    received: 10_000,
    remaining: 4_990_000,
    balance: 9_900,
    available: 9_900,
    fees_charged: 100,
  };
  const withBalance = { ...freshOverview, ...before };
  const without = { ...withBalance, balance: 4_900, available: 4_900 };
  beforeEach(async () => {
    await shop.settledTransfer(10_000);
    await shop.setPayoutAccount();
  });

  test("POST /v1/business/payouts, accepted: status requested; payout.requested", async () => {
    const payout = await shop.payout(5_000);
    expect(payout.status).toBe("requested");
    expect(await lastEvent()).toBe("payout.requested");
    expect(await shop.overview()).toEqual(without);
  });

  test("approval by the service and bank, paid: payout.paid", async () => {
    const payout = await shop.payout(5_000);
    await shop.account.advance("1m");
    expect(await stateOf(payout)).toBe("paid");
    expect(await lastEvent()).toBe("payout.paid");
    expect(await shop.overview()).toEqual({ ...without, fees_charged: 150 });
  });

  test("approval by the service and bank, failed: payout.failed; amount returns to balance", async () => {
    const payout = await shop.payout(5_000, "failed");
    expect(await shop.overview()).toEqual(without);
    await shop.account.advance("1m");
    expect(await stateOf(payout)).toBe("failed");
    expect(await lastEvent()).toBe("payout.failed");
    expect(await shop.overview()).toEqual(withBalance);
  });

  test("declined by the service, declined: payout.rejected; amount returns to balance", async () => {
    const payout = await shop.payout(5_000, "rejected");
    expect(await shop.overview()).toEqual(without);
    await shop.account.advance("1m");
    expect(await stateOf(payout)).toBe("rejected");
    expect(await lastEvent()).toBe("payout.rejected");
    expect(await shop.overview()).toEqual(withBalance);
  });
});

describe("Refund", () => {
  const withPayment = {
    ...freshOverview,
    ...{ received: 10_000, remaining: 4_990_000, balance: 9_900, pending: 9_900, fees_charged: 100 },
  };
  const refunded = async (outcome?: string) => {
    const { payment_id } = await shop.transfer(10_000);
    return shop.refund(payment_id, 4_000, outcome);
  };

  test("POST /v1/business/refunds, accepted: status requested; refund.requested", async () => {
    expect((await refunded()).status).toBe("requested");
    expect(await lastEvent()).toBe("refund.requested");
    expect(await shop.overview()).toEqual(withPayment);
  });

  test("approval, approved: refund.processed; refunded amount comes off balance and the fee on that part is returned", async () => {
    const refund = await refunded();
    await shop.account.advance("1m");
    expect(await stateOf(refund)).toBe("processed");
    expect(await lastEvent()).toBe("refund.processed");
    // The balance loses 4,000 and regains 40, the part of the fee of 100 on 4,000 of 10,000.
    const after = { balance: 5_940, pending: 5_940, fees_charged: 60 };
    expect(await shop.overview()).toEqual({ ...withPayment, ...after });
  });

  test.each(["rejected", "failed"])(
    "approval, not approved or fails: refund.rejected or refund.failed (%s)",
    async (outcome) => {
      const refund = await refunded(outcome);
      await shop.account.advance("1m");
      expect(await stateOf(refund)).toBe(outcome);
      expect(await lastEvent()).toBe(`refund.${outcome}`);
      expect(await shop.overview()).toEqual(withPayment);
    },
  );
});

describe("Payment", () => {
  test.each(["pending", "success", "held"])(
    "problem found, any: payment.issue; held until payment.issue_resolved (on a payment that is %s)",
    async (status) => {
      const { payment_id: id } = await shop.transfer(10_000, status);
      await shop.move(id, "raise_issue");
      expect(await lastEvent()).toBe("payment.issue");
      expect((await shop.payment(id)).status).toBe("held");
      await shop.account.advance("720h");
      expect((await shop.payment(id)).status).toBe("held");
      if (status === "held") await shop.verify();
      await shop.move(id, "resolve_issue");
      expect(await shop.count("payment.issue_resolved")).toBe(1);
      expect((await shop.payment(id)).status).toBe("success");
    },
  );

  test("the payment statuses are pending, success, held and failed", async () => {
    for (const outcome of ["pending", "success", "held", "failed"])
      expect((await shop.transfer(10_000, outcome)).status).toBe(outcome);
  });

  test("A payment above the receive limit before the business certificate is verified is held, and it is released once the certificate is verified", async () => {
    const { payment_id: id, status } = await shop.transfer(5_000_000.01);
    expect(status).toBe("held");
    await shop.verify();
    expect((await shop.payment(id)).status).toBe("success");
  });

  test("Money received is pending for 24 hours before it can be withdrawn; the service may hold a payment it is checking", async () => {
    await shop.setPayoutAccount();
    const { payment_id: id } = await shop.transfer(10_000);
    const withdraw = async () => (await shop.ask("POST", "/payouts", { amount: 9_900 })).status;
    expect(await withdraw()).toBe(422);
    await shop.account.advance("24h");
    await shop.move(id, "raise_issue");
    expect(await withdraw()).toBe(422);
    await shop.move(id, "resolve_issue");
    expect(await withdraw()).toBe(201);
  });
});
