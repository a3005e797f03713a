import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { post, useSandbox } from "../../support/sandbox.js";
import { bvn, checks, costOf, dashboardCode, getBalance, lookups, phoneCode } from "./calls.js";

const sandbox = useSandbox();

const left = async (account: SandboxAccount): Promise<number> =>
  (await getBalance(account)).free_tier_remaining;

async function withFreeTier(free_tier: number, at?: string): Promise<SandboxAccount> {
  const account = sandbox.account();
  if (at !== undefined) await account.clock.freeze(at);
  await account.update({ free_tier });
  return account;
}

describe("free calls", () => {
  test("of two, each lookup costs 0 and takes one; the third lookup pays", async () => {
    const account = await withFreeTier(2);
    expect(await left(account)).toBe(2);
    expect(await costOf(account, bvn)).toBe(0);
    expect(await left(account)).toBe(1);
    expect(await costOf(account, bvn)).toBe(0);
    expect(await left(account)).toBe(0);
    expect(await costOf(account, bvn)).toBe(50);
    expect(await left(account)).toBe(0);
  });

  test.each(Object.entries(lookups))("are for %s", async (_type, make) => {
    const account = await withFreeTier(1);
    expect(await costOf(account, make)).toBe(0);
    expect(await left(account)).toBe(0);
    expect(await costOf(account, make)).toBeGreaterThan(0);
  });

  const others = { phone_code: phoneCode, phone_code_dashboard: dashboardCode, ...checks };

  test.each(Object.entries(others))("are not for %s", async (_type, make) => {
    const account = await withFreeTier(1);
    expect(await costOf(account, make)).toBeGreaterThan(0);
    expect(await left(account)).toBe(1);
  });

  test("are not used by errors", async () => {
    const account = await withFreeTier(1);
    const refusals = [await post(account, "/v1/verify/bvn", { bvn: "123" })];
    for (const outcome of ["rate_limited", "internal_error", "provider_unavailable", "provider_timeout"]) {
      const headers = { "X-Sandbox-Outcome": outcome };
      refusals.push(await post(account, "/v1/verify/nin", { nin: "35402817694" }, headers));
    }
    refusals.push(await post(account, "/v1/verify/bvn", { bvn: "22222222223" }));
    expect(refusals.map(({ status }) => status)).toEqual([400, 429, 500, 503, 504, 503]);
    expect(await left(account)).toBe(1);
  });

  test("are used by a lookup that found nothing", async () => {
    const account = await withFreeTier(1);
    const { body } = await post(account, "/v1/verify/bvn", { bvn: "22222222221" });
    expect(body.status).toBe("not_found");
    expect(await left(account)).toBe(0);
  });

  test("need no money", async () => {
    const account = await withFreeTier(1);
    await account.update({ balance: 0 });
    expect((await bvn(account)).status).toBe(200);
    expect((await bvn(account)).status).toBe(402);
    expect(await getBalance(account)).toMatchObject({ balance: 0, free_tier_remaining: 0 });
  });

  test("need no money even if a long session has overdrawn the wallet", async () => {
    const account = await withFreeTier(1);
    await account.update({ balance: 5 });
    const { body } = await post(account, "/v1/streaming/video/token", { identity: "ada", role: "publisher" });
    await account.records.move(body.session_id, "end", { minutes: 10 });
    expect((await getBalance(account)).balance).toBe(5 - 50);
    expect((await bvn(account)).status).toBe(200);
    expect((await bvn(account)).status).toBe(402);
  });

  test("are zero on a new account", async () => {
    const account = sandbox.account();
    expect(await left(account)).toBe(0);
    expect(await costOf(account, bvn)).toBe(50);
  });

  test("are counted the same by the service and the control API", async () => {
    const account = await withFreeTier(3);
    await bvn(account);
    expect(await account.update({})).toMatchObject({ free_tier: 3, free_tier_remaining: 2 });
  });

  test("can be set for this month alone", async () => {
    const account = await withFreeTier(5, "2030-04-10T00:00:00Z");
    await account.update({ free_tier_remaining: 1 });
    expect(await costOf(account, bvn)).toBe(0);
    expect(await costOf(account, bvn)).toBe(50);
    await account.advance("30d");
    expect(await left(account)).toBe(5);
  });

  test("restart with a new allowance", async () => {
    const account = await withFreeTier(2, "2030-04-10T00:00:00Z");
    await bvn(account);
    await account.update({ free_tier: 4 });
    expect(await left(account)).toBe(4);
    await account.update({ free_tier: 0 });
    expect(await left(account)).toBe(0);
  });

  test.each([-1, 1.5, "2", null])("cannot be %j", async (free_tier) => {
    const change = sandbox.account().control("PATCH", "/account", { free_tier });
    await expect(change).rejects.toMatchObject({ code: "validation_error" });
  });
});

describe("renewal", () => {
  test.each([
    ["2030-01-31T23:59:59.999Z"],
    ["2030-02-28T23:59:59.999Z"],
    ["2028-02-29T23:59:59.999Z"],
    ["2030-12-31T23:59:59.999Z"],
  ])("comes in the first millisecond after %s", async (lastMoment) => {
    const account = await withFreeTier(2, lastMoment);
    for (const make of [bvn, bvn]) await make(account);
    expect(await left(account)).toBe(0);
    await account.advance("1ms");
    expect(await left(account)).toBe(2);
    expect(await costOf(account, bvn)).toBe(0);
    expect(await left(account)).toBe(1);
  });

  test("does not come with a new day of the same month", async () => {
    const account = await withFreeTier(2, "2030-01-01T00:00:00Z");
    await bvn(account);
    await account.advance("30d");
    expect(await left(account)).toBe(1);
  });

  test("after several months is one allowance; unused calls do not accumulate", async () => {
    const account = await withFreeTier(2, "2030-01-31T12:00:00Z");
    await bvn(account);
    await account.advance("100d");
    expect(await left(account)).toBe(2);
    for (const cost of [0, 0, 50]) expect(await costOf(account, bvn)).toBe(cost);
  });

  test("comes in the same month of another year", async () => {
    const account = await withFreeTier(1, "2030-05-10T00:00:00Z");
    await bvn(account);
    await account.advance("365d");
    expect(await left(account)).toBe(1);
  });

  test("comes while the clock runs, too", async () => {
    const account = await withFreeTier(1);
    await bvn(account);
    await account.advance("31d");
    expect(await left(account)).toBe(1);
  });
});
