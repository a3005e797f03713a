/** Interface: the business rows of Limits and Errors. Each row is a test in the row's words. */
import { describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { customer, openShop, profile, Shop } from "./shop.js";

const sandbox = useSandbox();
const order = { ...customer, description: "Order 1042" };

describe("Limits", () => {
  test.each(["test", "live"] as const)(
    "Card charge amount: NGN 100 to 5,000,000 (on a %s key)",
    async (mode) => {
      const shop = await openShop(sandbox.account({ mode }));
      for (const amount of [100, 100.01, 4_999_999.99, 5_000_000])
        expect((await shop.charge(amount)).payment).toEqual({ status: "pending", amount });
    },
  );

  test("Business receive limit: NGN 5,000,000 to start, until the business certificate is verified", async () => {
    const shop = await openShop(sandbox.account());
    expect(await shop.overview()).toMatchObject({ limit: 5_000_000, received: 0, remaining: 5_000_000 });
    expect((await shop.transfer(5_000_000)).status).toBe("success");
    expect((await shop.transfer(100)).status).toBe("held");
    await shop.verify();
    expect(await shop.overview()).toMatchObject({ limit: 5_000_000, received: 5_000_100, remaining: null });
    expect((await shop.transfer(10_000_000)).status).toBe("success");
  });

  test("Business fee per payment: NGN 50 flat under NGN 5,000; 1 percent from NGN 5,000", async () => {
    const shop = await openShop(sandbox.account());
    const { fees } = await shop.overview();
    expect(fees).toEqual({ flat: 50, percent_from: 5_000, percent: 1 });
    const feeOf = async (amount: number) =>
      (await shop.payment((await shop.transfer(amount)).payment_id)).fee;
    expect([await feeOf(100), await feeOf(4_999.99)]).toEqual([50, 50]);
    expect([await feeOf(5_000), await feeOf(6_000), await feeOf(250_000)]).toEqual([50, 60, 2_500]);
  });

  test("Payout availability: received money pending for 24 hours", async () => {
    const shop = await openShop(sandbox.account());
    await shop.account.clock.freeze();
    await shop.setPayoutAccount();
    await shop.transfer(10_000);
    await shop.account.advance("23h59m59s999ms");
    expect(await shop.overview()).toMatchObject({ pending: 9_900, available: 0 });
    expect((await shop.ask("POST", "/payouts", { amount: 9_900 })).status).toBe(422);
    await shop.account.advance("1ms");
    expect((await shop.ask("POST", "/payouts", { amount: 9_900 })).status).toBe(201);
  });
});

describe("Errors", () => {
  test.each([99.99, 0.01, 0, -100, 5_000_000.01, 6_000_000])(
    "Charge amount outside NGN 100 to 5,000,000: refused (%d)",
    async (amount) => {
      const shop = await openShop(sandbox.account());
      const { status, body } = await shop.ask("POST", "/charges", { ...order, amount });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: "amount_out_of_range", param: "amount" });
      expect(body.error.message).toContain("from NGN 100.00 to NGN 5,000,000.00");
      expect(await shop.payments()).toEqual([]);
    },
  );

  test("Account numbers or payments before the business name is set: refused", async () => {
    const shop = new Shop(sandbox.account());
    const requests = [
      ["/virtual-accounts", customer],
      ["/charges", { ...order, amount: 5_000 }],
      ["/test/simulate-payment", { virtual_account_id: "va_0123456789abcdef", amount: 5_000 }],
    ] as const;
    for (const [path, body] of requests)
      expect((await shop.ask("POST", path, body)).body.error.code).toBe("business_profile_required");
    await shop.got("PUT", "/profile", profile);
    expect((await shop.transfer(5_000)).status).toBe("success");
  });

  test("Payment above the receive limit before the business certificate is verified: accepted and held, not rejected", async () => {
    const shop = await openShop(sandbox.account());
    const body = { virtual_account_id: await shop.number, amount: 5_000_000.01 };
    const reply = await shop.ask("POST", "/test/simulate-payment", body);
    expect(reply.status).toBe(200);
    expect(reply.body.status).toBe("held");
    expect(reply.headers.get("X-Sandbox-Outcome")).toBe("held; by=default");
    expect(await shop.kinds()).not.toContain("payment.failed");
    expect(await shop.overview()).toMatchObject({ held: 5_000_000.01, received: 0 });
  });
});
