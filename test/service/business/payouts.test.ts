import { beforeEach, describe, expect, test } from "vitest";
import { useSandbox } from "../../support/sandbox.js";
import { asking, openShop, type Shop } from "./shop.js";

const sandbox = useSandbox();

/** A shop with NGN 99,000 available and a payout account whose payouts are paid. */
let shop: Shop;
beforeEach(async () => {
  shop = await openShop(sandbox.account());
  await shop.account.clock.freeze();
  await shop.settledTransfer(100_000);
  await shop.setPayoutAccount();
});

const available = async () => (await shop.overview()).available;
const statusOf = async ({ id }: { id: string }) => (await shop.account.records.get(id)).record.status;
const ask = (amount: number, headers?: Record<string, string>) =>
  shop.ask("POST", "/payouts", { amount }, headers);

/** Returns the kinds of payout events, oldest first. */
const kinds = async () => (await shop.kinds()).filter((kind) => kind.startsWith("payout."));

test("a new payout is requested, with its fee of NGN 50 and the net amount", async () => {
  const { status, body } = await ask(10_000.5);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^po_[a-z0-9]+$/),
    reference: expect.stringMatching(/^po-[a-z0-9]+$/),
    status: "requested",
    amount: 10_000.5,
    fee: 50,
    you_receive: 9_950.5,
    bank_name: "Guaranty Trust Bank",
    account_number: "1111111111",
  });
  expect(await kinds()).toEqual(["payout.requested"]);
});

describe("a payout is refused", () => {
  async function expectRefused(amount: number, status: number, error: object) {
    const before = await shop.overview();
    const reply = await ask(amount);
    expect({ status: reply.status, ...reply.body.error }).toMatchObject({ status, ...error });
    expect(await shop.overview()).toEqual(before);
    expect(await kinds()).toEqual([]);
  }

  test("without a payout account: 422 payout_account_required", async () => {
    shop = await openShop(sandbox.account());
    await shop.settledTransfer(100_000);
    await expectRefused(1_000, 422, { code: "payout_account_required" });
  });

  test("of one kobo more than is available: 422 insufficient_available_balance", async () => {
    await expectRefused(99_000.01, 422, { code: "insufficient_available_balance", param: "amount" });
  });

  test("of money that is still pending for 24 hours", async () => {
    await shop.transfer(100_000);
    await expectRefused(99_000.01, 422, { code: "insufficient_available_balance" });
  });

  test("of money that is held", async () => {
    await shop.transfer(100_000, "held");
    await shop.account.advance("24h");
    await expectRefused(99_000.01, 422, { code: "insufficient_available_balance" });
  });

  test.each([50, 49.99, 0.01, 1])("of NGN %d, which does not exceed the fee: 400", async (amount) => {
    await expectRefused(amount, 400, { code: "amount_out_of_range", param: "amount" });
  });

  test.each(["internal_error", "provider_unavailable", "provider_timeout", "rate_limited"] as const)(
    "under the outcome %s",
    async (outcome) => {
      await shop.account.rules.add({ on: "createPayout", outcome, times: 1 });
      const reply = await ask(1_000);
      expect(reply.body.error.code).toBe(outcome);
      expect(await available()).toBe(99_000);
      expect(await kinds()).toEqual([]);
    },
  );
});

test("a payout of exactly what is available is paid and leaves nothing", async () => {
  const payout = await shop.payout(99_000);
  await shop.account.advance("1m");
  expect(await statusOf(payout)).toBe("paid");
  expect(await available()).toBe(0);
  expect((await ask(50.01)).body.error.code).toBe("insufficient_available_balance");
});

test("a payout of NGN 50.01 leaves one kobo to receive", async () => {
  expect(await shop.payout(50.01)).toMatchObject({ amount: 50.01, fee: 50, you_receive: 0.01 });
});

test("concurrent payouts never exceed the available balance", async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => ask(20_000)));
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, 201, 201, 201, 422, 422, 422, 422, 422, 422]);
  expect(await available()).toBe(19_000);
  expect(new Set(replies.flatMap(({ body }) => body.reference ?? [])).size).toBe(4);
});

/** Each outcome of createPayout, and whether the amount returns to the available balance. */
const outcomes = [
  ["paid", 89_000],
  ["failed", 99_000],
  ["rejected", 99_000],
  ["requested", 89_000],
] as const;

async function expectOutcome(payout: { id: string }, outcome: string, left: number): Promise<void> {
  expect(await statusOf(payout)).toBe("requested");
  expect(await available()).toBe(89_000);
  await shop.account.advance("59s999ms");
  expect(await statusOf(payout)).toBe("requested");
  await shop.account.advance("1ms");
  expect((await shop.account.records.get(payout.id)).record).toEqual({ ...payout, status: outcome });
  expect(await available()).toBe(left);
  await shop.account.advance("24h");
  const decided = outcome === "requested" ? [] : [`payout.${outcome}`];
  expect(await kinds()).toEqual(["payout.requested", ...decided]);
}

describe.each(outcomes)("a payout that ends %s leaves NGN %d available", (outcome, left) => {
  test("by header", async () => {
    await expectOutcome(await shop.payout(10_000, outcome), outcome, left);
  });

  test("by a rule", async () => {
    await shop.account.rules.add({ on: "createPayout", outcome, times: 1 });
    await expectOutcome(await shop.payout(10_000), outcome, left);
  });
});

describe("the test values of a payout", () => {
  test.each([
    [10_000.05, "failed"],
    [10_000.57, "rejected"],
    [10_000.68, "requested"],
    [10_000.59, "paid"],
    [10_050.05, "paid"],
    [9_999.05, "paid"],
    [100.05, "failed"],
  ])("the kobo of NGN %d select %s", async (amount, outcome) => {
    const { headers, body } = await ask(amount);
    await shop.account.advance("1m");
    expect(await statusOf(body)).toBe(outcome);
    expect(headers.get("X-Sandbox-Outcome")).toBe(`${outcome}; by=test-value`);
  });

  test.each([
    ["1111111111", "paid"],
    ["3333333333", "failed"],
    ["4444444444", "failed"],
    ["6666666666", "rejected"],
  ])("the payout account %s selects %s", async (number, outcome) => {
    await shop.setPayoutAccount(number);
    const payout = await shop.payout(10_000);
    await expectOutcome(payout, outcome, outcome === "paid" ? 89_000 : 99_000);
  });

  test("kobo take precedence over the payout account, a rule over both, and the header over the rule", async () => {
    await shop.setPayoutAccount("6666666666");
    const decided = async (headers?: Record<string, string>) =>
      (await ask(10_000.05, headers)).headers.get("X-Sandbox-Outcome");
    expect(await decided()).toBe("failed; by=test-value");
    await shop.account.rules.add({ on: "createPayout", outcome: "requested" });
    expect(await decided()).toBe("requested; by=rule");
    expect(await decided(asking("paid"))).toBe("paid; by=header");
  });

  test("a payout to an account that is not a test value is paid by default", async () => {
    await shop.setPayoutAccount("0143728169");
    const { headers, body } = await ask(10_000);
    expect(headers.get("X-Sandbox-Outcome")).toBe("paid; by=default");
    await shop.account.advance("1m");
    expect(await statusOf(body)).toBe("paid");
  });
});

describe("by hand", () => {
  test.each([
    ["pay", "paid", 89_000],
    ["fail", "failed", 99_000],
    ["reject", "rejected", 99_000],
  ])("%s decides a payout early, and the clock does not decide it again", async (move, status, left) => {
    const payout = await shop.payout(10_000);
    await shop.move(payout.id, move);
    expect(await statusOf(payout)).toBe(status);
    expect((await shop.account.advance("1h")).ran).toEqual([]);
    expect(await available()).toBe(left);
    expect(await kinds()).toEqual(["payout.requested", `payout.${status}`]);
    await expect(shop.move(payout.id, move)).rejects.toMatchObject({ code: "invalid_state" });
  });

  test("a payout that stays requested is decided", async () => {
    const payout = await shop.payout(10_000, "requested");
    await shop.account.advance("24h");
    await shop.move(payout.id, "fail");
    expect(await available()).toBe(99_000);
  });
});

test("returned money can be paid out again in full", async () => {
  await shop.payout(99_000, "rejected");
  expect((await ask(50.01)).status).toBe(422);
  await shop.account.advance("1m");
  await shop.payout(99_000);
  await shop.account.advance("1m");
  expect(await shop.overview()).toMatchObject({ available: 0, balance: 0, fees_charged: 1_050 });
});

test("payouts of live keys behave the same", async () => {
  shop = await openShop(sandbox.account({ mode: "live" }));
  await shop.cardPayment(100_000);
  await shop.account.clock.freeze();
  await shop.account.advance("24h");
  await shop.setPayoutAccount();
  await expectOutcome(await shop.payout(10_000), "paid", 89_000);
});
