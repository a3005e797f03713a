import { describe, expect, test } from "vitest";
import fixture from "../../../fixtures/prices.json" with { type: "json" };
import { call, useSandbox } from "../../support/sandbox.js";
import { bvn, checks, costOf, dashboardCode, deepAudit, getBalance, lookups, phoneCode } from "./calls.js";

const sandbox = useSandbox();
const pricing = async () => (await call(sandbox.account(), "GET", "/v1/pricing")).body;

/** Interface: "Limits", "Identity and data verification", "Media scans", "File tools". */
const given: readonly [type: string, ...prices: number[]][] = [
  ["phone_code", 6, 8],
  ["address", 150],
  ["document", 30],
  ["liveness", 25],
  ["face_match", 35],
  ["audit_standard", 300],
  ["audit_deep", 5000],
  ["media_image", 200],
  ["media_text", 150],
  ["media_video", 800],
  ["store_assets", 10],
];

interface Price {
  type: string;
  price: number;
  unit: string;
  channel: string;
}

describe("the price list", () => {
  test("equals fixtures/prices.json, in the same order", async () => {
    expect(await pricing()).toEqual({
      currency: "NGN",
      prices: fixture.prices.map(({ type, price, unit, channel = "api" }) => ({
        type,
        price,
        unit,
        channel,
      })),
    });
  });

  test.each(given)("has the interface's numbers for %s", async (type, ...prices) => {
    const rows: Price[] = (await pricing()).prices;
    expect(rows.filter((row) => row.type === type).map(({ price }) => price)).toEqual(prices);
  });

  test("marks exactly the prices of the interface as such", () => {
    const marked = fixture.prices.filter(({ source }) => source === "interface").map(({ type }) => type);
    expect([...new Set(marked)].sort()).toEqual(given.map(([type]) => type).sort());
    expect(marked).toHaveLength(given.flatMap(([, ...prices]) => prices).length);
  });

  test("lists each type and channel once", async () => {
    const rows: Price[] = (await pricing()).prices;
    expect(new Set(rows.map(({ type, channel }) => `${type} ${channel}`)).size).toBe(rows.length);
  });
});

const listed = (key: string) => fixture.prices.find((price) => price.key === key)?.price;

describe.each(["test", "live"] as const)("on a %s key", (mode) => {
  const calls = {
    phone_code: phoneCode,
    phone_code_dashboard: dashboardCode,
    audit_deep: deepAudit,
    ...lookups,
    ...checks,
  };

  test.each(Object.entries(calls))("%s costs its listed price", async (key, make) => {
    expect(await costOf(sandbox.account({ mode }), make)).toBe(listed(key));
  });
});

test.each(Object.entries(checks))("the reply to %s has its cost", async (key, make) => {
  expect((await make(sandbox.account())).body.cost).toBe(listed(key));
});

describe("the balance", () => {
  test("has exactly its fields, and a fresh account has a million naira of play money", async () => {
    expect(await getBalance(sandbox.account())).toEqual({
      balance: 1_000_000,
      currency: "NGN",
      low_balance: false,
      free_tier_remaining: 0,
    });
  });

  test.each([
    [1_000, false],
    [999.99, true],
    [0, true],
  ])("of NGN %d has low_balance %s", async (balance, low_balance) => {
    const account = sandbox.account();
    await account.update({ balance });
    expect(await getBalance(account)).toMatchObject({ balance, low_balance });
  });

  test("becomes low with the call that takes it below NGN 1,000", async () => {
    const account = sandbox.account();
    await account.update({ balance: 1_050 });
    await bvn(account);
    expect(await getBalance(account)).toMatchObject({ balance: 1_000, low_balance: false });
    await phoneCode(account);
    expect(await getBalance(account)).toMatchObject({ balance: 994, low_balance: true });
  });

  test("that is too low is 402, which explains how to top up; then the same call is paid", async () => {
    const account = sandbox.account();
    await account.update({ balance: 49.99 });
    const { status, body } = await bvn(account);
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ type: "billing_error", code: "insufficient_balance" });
    expect(body.error.message).toMatch(/49\.99.*PATCH \/_sandbox\/account \{"balance": 1000000\}/);
    expect((await getBalance(account)).balance).toBe(49.99);
    await account.update({ balance: 1_000_000 });
    expect(await costOf(account, bvn)).toBe(50);
  });

  test("may be spent to the last kobo", async () => {
    const account = sandbox.account();
    await account.update({ balance: 50 });
    expect((await bvn(account)).status).toBe(200);
    expect((await getBalance(account)).balance).toBe(0);
    expect((await bvn(account)).status).toBe(402);
  });

  test("is separate for each account", async () => {
    const [one, other] = [sandbox.account(), sandbox.account()];
    await bvn(one);
    expect((await getBalance(other)).balance).toBe(1_000_000);
  });
});
