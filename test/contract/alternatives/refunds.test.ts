import { describe, expect, test } from "vitest";
import { openShop, type Shop } from "../../service/business/shop.js";
import { useSandbox } from "../../support/sandbox.js";
import { named } from "./asking.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

const create = named("createRefund");

/** Receives NGN 10,000 and pays out what is left after the fee. Returns the payment's id. */
async function payOutAll(shop: Shop): Promise<string> {
  const id = await shop.settledTransfer(10_000);
  await shop.setPayoutAccount();
  await shop.payout(9_900);
  return id;
}

describe("negative", () => {
  const sandbox = useAlternative("business.refund_balance", "negative");
  const contract = useContract(sandbox);

  test("a refund after a payout takes the balance below zero, and later payments restore it", async () => {
    const shop = await openShop(sandbox.account());
    await shop.account.clock.freeze();
    await shop.refund(await payOutAll(shop));
    await shop.account.advance("1m");
    expect(await shop.overview()).toMatchObject({ available: -9_900, balance: -9_900, fees_charged: 50 });
    expect((await shop.ask("POST", "/payouts", { amount: 100 })).status).toBe(422);
    await shop.settledTransfer(4_000);
    expect(await shop.overview()).toMatchObject({ available: -5_950, balance: -5_950 });
    await shop.settledTransfer(10_000);
    expect(await shop.overview()).toMatchObject({ available: 3_950, balance: 3_950 });
    expect((await shop.payout(3_950)).status).toBe("requested");
  });

  test("the contract of a refund has no insufficient_available_balance", async () => {
    expect(contract().codes(create, 422)).not.toContain("insufficient_available_balance");
  });
});

describe("refused, the default", () => {
  const sandbox = useSandbox();
  const contract = useContract(sandbox);

  test("a refund after a payout is refused, as the contract says", async () => {
    const shop = await openShop(sandbox.account());
    const payment_id = await payOutAll(shop);
    const reply = await shop.ask("POST", "/refunds", { payment_id, reason: "Returned goods" });
    expect(reply).toMatchObject({ status: 422, body: { error: { code: "insufficient_available_balance" } } });
    contract().expectDescribes(create, reply);
  });
});
