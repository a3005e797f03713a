import { beforeEach, describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { openShop, type Shop } from "./shop.js";

const sandbox = useSandbox();

let shop: Shop;
beforeEach(async () => {
  shop = await openShop(sandbox.account());
  await shop.account.clock.freeze();
});

const money = async () => {
  const { pending, available } = await shop.overview();
  return { pending, available };
};
const unsettled = { pending: 9_900, available: 0 };
const settled = { pending: 0, available: 9_900 };
const settlements = () => shop.count("payment.settled");

describe("money received", () => {
  test("is pending for exactly 24 hours of the account's clock", async () => {
    const { payment_id } = await shop.transfer(10_000);
    const { paid_at } = await shop.payment(payment_id);
    await shop.account.advance("23h59m59s999ms");
    expect(await money()).toEqual(unsettled);
    expect(await settlements()).toBe(0);
    const { ran } = await shop.account.advance("1ms");
    const due = new Date(Date.parse(paid_at) + 24 * 60 * 60 * 1_000).toISOString();
    expect(ran).toMatchObject([
      { at: due, kind: "move", machine: "payment", id: payment_id, move: "settle" },
    ]);
    expect(await money()).toEqual(settled);
    const events = await shop.account.events.list({ event: "payment.settled" });
    expect(events).toMatchObject([{ created_at: due, data: await shop.payment(payment_id) }]);
  });

  test("settles only once", async () => {
    await shop.transfer(10_000);
    await shop.account.advance("24h");
    await shop.account.advance("720h");
    expect(await settlements()).toBe(1);
    expect(await money()).toEqual(settled);
  });

  test("settles each payment 24 hours after it was received", async () => {
    await shop.transfer(10_000);
    await shop.account.advance("12h");
    await shop.transfer(20_000);
    await shop.account.advance("12h");
    expect(await money()).toEqual({ pending: 19_800, available: 9_900 });
    await shop.account.advance("12h");
    expect(await money()).toEqual({ pending: 0, available: 29_700 });
    expect(await settlements()).toBe(2);
  });

  test("keeps its status, paid_at and received when it settles", async () => {
    const { payment_id } = await shop.transfer(10_000);
    const [payment, overview] = [await shop.payment(payment_id), await shop.overview()];
    await shop.account.advance("24h");
    expect(await shop.payment(payment_id)).toEqual(payment);
    expect(await shop.overview()).toEqual({ ...overview, ...settled });
  });
});

describe("settled by hand", () => {
  test("early, it is available at once and does not settle again", async () => {
    const { payment_id } = await shop.transfer(10_000);
    await shop.account.advance("1h");
    await shop.move(payment_id, "settle");
    expect(await money()).toEqual(settled);
    const { ran } = await shop.account.advance("48h");
    expect(ran).toEqual([]);
    expect(await settlements()).toBe(1);
    expect(await money()).toEqual(settled);
  });

  test("a second time, it is refused", async () => {
    const id = await shop.settledTransfer(10_000);
    await expect(shop.move(id, "settle")).rejects.toMatchObject({ status: 409, code: "invalid_state" });
    expect(await settlements()).toBe(1);
    expect(await money()).toEqual(settled);
  });
});

describe("an issue", () => {
  test("that lasts less than 24 hours does not delay the settlement", async () => {
    const { payment_id } = await shop.transfer(10_000);
    await shop.account.advance("1h");
    await shop.move(payment_id, "raise_issue");
    await shop.account.advance("5h");
    await shop.move(payment_id, "resolve_issue");
    await shop.account.advance("17h59m59s999ms");
    expect(await money()).toEqual(unsettled);
    await shop.account.advance("1ms");
    expect(await money()).toEqual(settled);
    expect(await settlements()).toBe(1);
  });

  test("that outlasts the 24 hours delays the settlement until it is resolved", async () => {
    const { payment_id } = await shop.transfer(10_000);
    await shop.move(payment_id, "raise_issue");
    const { ran } = await shop.account.advance("30h");
    expect(ran).toEqual([]);
    expect(await money()).toEqual({ pending: 0, available: 0 });
    await shop.move(payment_id, "resolve_issue");
    await shop.account.advance("0s");
    expect(await money()).toEqual(settled);
    expect(await settlements()).toBe(1);
  });

  test("of a pending payment starts the 24 hours when it is resolved", async () => {
    const { payment_id } = await shop.transfer(10_000, "issue");
    await shop.account.advance("30h");
    await shop.move(payment_id, "resolve_issue");
    await shop.account.advance("23h59m59s999ms");
    expect(await money()).toEqual(unsettled);
    await shop.account.advance("1ms");
    expect(await money()).toEqual(settled);
  });
});
