import { describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { freshOverview, openShop } from "./shop.js";

const sandbox = useSandbox();

const statuses = (payments: { status: string }[]) => payments.map(({ status }) => status);

describe("the receive limit of NGN 5,000,000", () => {
  test("is a running total: payments that reach it exactly pass, and one kobo over is held", async () => {
    const shop = await openShop(sandbox.account());
    expect((await shop.transfer(3_000_000)).status).toBe("success");
    expect((await shop.transfer(2_000_000.01)).status).toBe("held");
    expect(await shop.overview()).toMatchObject({ received: 3_000_000, remaining: 2_000_000 });
    expect((await shop.transfer(2_000_000)).status).toBe("success");
    expect(await shop.overview()).toMatchObject({ received: 5_000_000, remaining: 0, held: 2_000_000.01 });
    expect((await shop.transfer(100)).status).toBe("held");
  });

  test.each([
    [5_000_000, "success"],
    [5_000_000.01, "held"],
  ])("meets a first transfer of NGN %d with %s", async (amount, status) => {
    const shop = await openShop(sandbox.account());
    expect((await shop.transfer(amount)).status).toBe(status);
  });

  test("counts transfers and cards together, but neither failed nor held payments", async () => {
    const shop = await openShop(sandbox.account());
    await shop.cardPayment(2_500_000);
    await shop.transfer(4_000_000, "failed");
    await shop.transfer(4_000_000);
    await shop.transfer(4_000_000, "pending");
    expect(await shop.overview()).toMatchObject({ received: 2_500_000, remaining: 2_500_000 });
    expect((await shop.transfer(2_500_000)).status).toBe("success");
  });

  test("is not restored by refunds and payouts", async () => {
    const shop = await openShop(sandbox.account());
    const id = await shop.settledTransfer(5_000_000);
    await shop.setPayoutAccount();
    await shop.refund(id, 1_000_000);
    await shop.payout(1_000_000);
    await shop.account.advance("1m");
    expect(await shop.overview()).toMatchObject({ received: 5_000_000, remaining: 0 });
    expect((await shop.transfer(100)).status).toBe("held");
  });

  test("is restored by payments held for an issue, which are then held for the limit if they no longer fit", async () => {
    const shop = await openShop(sandbox.account());
    const { payment_id } = await shop.transfer(3_000_000);
    await shop.move(payment_id, "raise_issue");
    expect(await shop.overview()).toMatchObject({ received: 0, remaining: 5_000_000, held: 3_000_000 });
    expect((await shop.transfer(4_000_000)).status).toBe("success");
    await shop.move(payment_id, "resolve_issue");
    expect(await shop.payment(payment_id)).toMatchObject({ status: "held" });
    expect(await shop.overview()).toMatchObject({ received: 4_000_000, held: 3_000_000 });
    await shop.verify();
    expect(await shop.payment(payment_id)).toMatchObject({ status: "success" });
    expect(await shop.overview()).toMatchObject({ received: 7_000_000, held: 0 });
    expect(await shop.count("payment.received")).toBe(2);
  });

  test("does not apply once the business is verified", async () => {
    const shop = await openShop(sandbox.account());
    await shop.verify();
    expect((await shop.transfer(5_000_000.01)).status).toBe("success");
    expect((await shop.transfer(1_000_000_000)).status).toBe("success");
    expect(await shop.overview()).toMatchObject({ received: 1_005_000_000.01, remaining: null, held: 0 });
  });
});

describe("a payment held for the limit", () => {
  test("sends no event, and does not count as received, fee or balance", async () => {
    const shop = await openShop(sandbox.account());
    const { payment_id } = await shop.transfer(5_000_000.01);
    expect(await shop.kinds()).toEqual(["virtual_account.created"]);
    expect(await shop.overview()).toEqual({ ...freshOverview, held: 5_000_000.01 });
    expect((await shop.payment(payment_id)).paid_at).not.toBeNull();
    await shop.account.advance("48h");
    expect(await shop.kinds()).toEqual(["virtual_account.created"]);
  });

  test("is released oldest first when the certificate is verified, with payment.received each", async () => {
    const shop = await openShop(sandbox.account());
    const held: string[] = [];
    for (const amount of [6_000_000, 5_000_001, 7_000_000])
      held.push((await shop.transfer(amount)).payment_id);
    const failed = held[1] as string;
    await shop.move(failed, "fail");
    await shop.verify();
    expect(statuses(await shop.payments())).toEqual(["success", "failed", "success"]);
    const received = await shop.account.events.list({ event: "payment.received" });
    expect(received.map(({ data }) => data.id)).toEqual([held[2], held[0]]);
    for (const { data } of received) expect(data).toEqual(await shop.payment(String(data.id)));
    expect(await shop.overview()).toMatchObject({ received: 13_000_000, held: 0, balance: 12_870_000 });
  });

  test("is released once; verifying again sends nothing", async () => {
    const shop = await openShop(sandbox.account());
    await shop.transfer(6_000_000);
    await shop.verify();
    await shop.verify();
    expect(await shop.count("payment.received")).toBe(1);
  });

  test("starts its 24 hours at the release, not at the payment", async () => {
    const shop = await openShop(sandbox.account());
    await shop.account.clock.freeze();
    await shop.transfer(6_000_000);
    await shop.account.advance("23h");
    await shop.verify();
    await shop.account.advance("23h59m59s999ms");
    expect(await shop.overview()).toMatchObject({ pending: 5_940_000, available: 0 });
    await shop.account.advance("1ms");
    expect(await shop.overview()).toMatchObject({ pending: 0, available: 5_940_000 });
    expect(await shop.count("payment.settled")).toBe(1);
  });

  test("can be released by hand without verification", async () => {
    const shop = await openShop(sandbox.account());
    const [one, other] = [await shop.transfer(6_000_000), await shop.transfer(7_000_000)];
    await shop.move(other.payment_id, "release");
    expect(await shop.payment(one.payment_id)).toMatchObject({ status: "held" });
    expect(await shop.payment(other.payment_id)).toMatchObject({ status: "success" });
    expect(await shop.overview()).toMatchObject({ received: 7_000_000, remaining: 0, held: 6_000_000 });
    expect(await shop.count("payment.received")).toBe(1);
  });
});

test("a refused change of the account releases nothing", async () => {
  const shop = await openShop(sandbox.account());
  await shop.transfer(6_000_000);
  await expect(shop.account.update({ business_verified: true, balance: 0.001 })).rejects.toMatchObject({
    code: "validation_error",
  });
  expect(statuses(await shop.payments())).toEqual(["held"]);
  expect(await shop.overview()).toMatchObject({ business_verified: false });
});
