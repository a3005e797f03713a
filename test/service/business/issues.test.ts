import { beforeEach, describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { freshOverview, openShop, type Shop } from "./shop.js";

const sandbox = useSandbox();

let shop: Shop;
beforeEach(async () => {
  shop = await openShop(sandbox.account());
  await shop.account.clock.freeze();
});

const received = { received: 10_000, remaining: 4_990_000, fees_charged: 100, balance: 9_900 };
const raised = "payment.issue";
const resolved = "payment.issue_resolved";

/** Returns the kinds of payment events, oldest first. */
const kinds = async () => (await shop.kinds()).slice(1);

/** Returns the payment's status and the fields of the overview that change. */
async function expectSeen(id: string, status: string, overview: object): Promise<void> {
  expect((await shop.payment(id)).status).toBe(status);
  expect(await shop.overview()).toEqual({ ...freshOverview, ...overview });
}

async function expectRefused(move: Promise<unknown>, words: string): Promise<void> {
  const error = { code: "invalid_state", status: 409, message: expect.stringContaining(words) };
  await expect(move).rejects.toMatchObject(error);
}

describe("an issue with a payment that is", () => {
  test("pending holds its money, and makes it received when it is resolved", async () => {
    const { payment_id: id } = await shop.transfer(10_000, "pending");
    await shop.account.advance("1h");
    await shop.move(id, "raise_issue");
    await expectSeen(id, "held", { held: 10_000 });
    const { now } = await shop.account.clock.get();
    expect((await shop.payment(id)).paid_at).toBe(now);
    await shop.move(id, "resolve_issue");
    await expectSeen(id, "success", { ...received, pending: 9_900 });
    expect(await kinds()).toEqual([raised, resolved, "payment.received"]);
  });

  test("successful and unsettled holds its money, and releases it without payment.received", async () => {
    const { payment_id: id } = await shop.transfer(10_000);
    await shop.move(id, "raise_issue");
    await expectSeen(id, "held", { held: 10_000 });
    await shop.move(id, "resolve_issue");
    await expectSeen(id, "success", { ...received, pending: 9_900 });
    expect(await kinds()).toEqual(["payment.received", raised, resolved]);
  });

  test("settled takes its money out of available and later puts it back, still settled", async () => {
    const id = await shop.settledTransfer(10_000);
    await shop.move(id, "raise_issue");
    await expectSeen(id, "held", { held: 10_000 });
    await shop.move(id, "resolve_issue");
    await expectSeen(id, "success", { ...received, available: 9_900 });
    expect((await shop.account.advance("48h")).ran).toEqual([]);
    expect(await kinds()).toEqual(["payment.received", "payment.settled", raised, resolved]);
  });

  test("paid out already takes available below zero until it is resolved", async () => {
    const id = await shop.settledTransfer(10_000);
    await shop.setPayoutAccount();
    await shop.payout(9_900);
    await shop.account.advance("1m");
    await shop.move(id, "raise_issue");
    expect(await shop.overview()).toMatchObject({ available: -9_900, balance: -9_900, held: 10_000 });
    await shop.move(id, "resolve_issue");
    expect(await shop.overview()).toMatchObject({ available: 0, balance: 0, held: 0 });
  });

  test("failed is refused", async () => {
    const { payment_id: id } = await shop.transfer(10_000, "failed");
    await expectRefused(shop.move(id, "raise_issue"), "succeed");
    await expectSeen(id, "failed", {});
  });

  test("under an issue is refused, and one resolution ends it", async () => {
    const { payment_id: id } = await shop.transfer(10_000, "issue");
    await expectRefused(shop.move(id, "raise_issue"), "already has an issue");
    await shop.move(id, "resolve_issue");
    await expectSeen(id, "success", { ...received, pending: 9_900 });
    expect(await kinds()).toEqual([raised, resolved, "payment.received"]);
  });
});

describe("a payment held for the limit and for an issue", () => {
  const amount = 6_000_000;
  const passed = { received: amount, fees_charged: 60_000, balance: 5_940_000, pending: 5_940_000 };
  let id: string;
  beforeEach(async () => {
    id = (await shop.transfer(amount)).payment_id;
    await shop.move(id, "raise_issue");
  });

  test("stays held, with one event for the issue, and its money is held once", async () => {
    await expectSeen(id, "held", { held: amount });
    expect(await kinds()).toEqual([raised]);
  });

  test("leaves held when the issue is resolved and then the business verified", async () => {
    await shop.move(id, "resolve_issue");
    await expectSeen(id, "held", { held: amount });
    expect(await kinds()).toEqual([raised, resolved]);
    const [event] = await shop.account.events.list({ event: resolved });
    expect(event?.data.status).toBe("held");
    await shop.verify();
    await expectSeen(id, "success", { ...passed, business_verified: true, remaining: null });
    expect(await kinds()).toEqual([raised, resolved, "payment.received"]);
  });

  test("leaves held when the business is verified and then the issue resolved", async () => {
    await shop.verify();
    await expectSeen(id, "held", { held: amount, business_verified: true, remaining: null });
    expect(await kinds()).toEqual([raised]);
    await shop.move(id, "resolve_issue");
    await expectSeen(id, "success", { ...passed, business_verified: true, remaining: null });
    expect(await kinds()).toEqual([raised, resolved, "payment.received"]);
  });

  test("cannot lose a reason twice", async () => {
    await shop.move(id, "release");
    await expectRefused(shop.move(id, "release"), "is held for issue, not for limit");
  });

  test("can fail, which returns the money to the customer and clears both reasons", async () => {
    await shop.move(id, "fail");
    await expectSeen(id, "failed", {});
    expect(await kinds()).toEqual([raised, "payment.failed"]);
    await shop.verify();
    await expectSeen(id, "failed", { business_verified: true, remaining: null });
    await expectRefused(shop.move(id, "resolve_issue"), "succeed");
  });
});

describe("a held payment fails", () => {
  test("when held for the limit, and a later success of the same transfer starts over", async () => {
    const { payment_id: id } = await shop.transfer(10_000, "held");
    await shop.move(id, "fail");
    await expectSeen(id, "failed", {});
    await shop.move(id, "succeed");
    await expectSeen(id, "success", { ...received, pending: 9_900 });
    expect(await kinds()).toEqual(["payment.failed", "payment.received"]);
  });

  test("when held for an issue after settlement, and is no longer received and never settles again", async () => {
    const id = await shop.settledTransfer(10_000);
    await shop.move(id, "raise_issue");
    await shop.move(id, "fail");
    await expectSeen(id, "failed", {});
    expect((await shop.account.advance("48h")).ran).toEqual([]);
    expect(await kinds()).toEqual(["payment.received", "payment.settled", raised, "payment.failed"]);
  });

  test("and later succeeds, which is received again and restarts its 24 hours", async () => {
    const id = await shop.settledTransfer(10_000);
    for (const move of ["raise_issue", "fail", "succeed"]) await shop.move(id, move);
    await expectSeen(id, "success", { ...received, pending: 9_900 });
    await shop.account.advance("23h59m59s999ms");
    await expectSeen(id, "success", { ...received, pending: 9_900 });
    await shop.account.advance("1ms");
    await expectSeen(id, "success", { ...received, available: 9_900 });
    const once = ["payment.received", "payment.settled"];
    expect(await kinds()).toEqual([...once, raised, "payment.failed", ...once]);
  });
});

describe("an illegal move is refused and names the legal moves:", () => {
  test.each([
    ["success", "resolve_issue", "raise_issue, settle"],
    ["success", "fail", "raise_issue, settle"],
    ["success", "succeed", "raise_issue, settle"],
    ["held", "succeed", "release, fail, raise_issue, resolve_issue"],
    ["held", "settle", "release, fail, raise_issue, resolve_issue"],
    ["held", "resolve_issue", "is held for limit, not for issue"],
    ["issue", "release", "is held for issue, not for limit"],
    ["pending", "release", "succeed, hold, fail, raise_issue"],
    ["pending", "settle", "succeed, hold, fail, raise_issue"],
    ["failed", "fail", "succeed, hold"],
  ])("%s, %s", async (outcome, move, words) => {
    const { payment_id: id, status } = await shop.transfer(10_000, outcome);
    const before = await shop.overview();
    await expectRefused(shop.move(id, move), words);
    await expectSeen(id, status, before);
  });
});

test("an issue raised on an unpaid charge keeps cards from paying it until it is resolved", async () => {
  const charge = await shop.charge(10_000);
  const [{ id }] = (await shop.payments()) as [{ id: string }];
  await shop.move(id, "raise_issue");
  const { status, body } = await shop.atCheckout(charge, { card: "4242424242424242" });
  expect({ status, code: body.error.code }).toEqual({ status: 409, code: "invalid_state" });
  await expectSeen(id, "held", { held: 10_000 });
});
