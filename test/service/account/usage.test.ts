import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { call, post, useSandbox } from "../../support/sandbox.js";
import { locate, near, started, submit } from "../address/checks.js";
import {
  address,
  bvn,
  dashboardCode,
  failedPhoneCode,
  failingDeepAudit,
  lookups,
  phoneCode,
  usage,
} from "./calls.js";

const sandbox = useSandbox();

async function at(instant: string): Promise<SandboxAccount> {
  const account = sandbox.account();
  await account.clock.freeze(instant);
  return account;
}

const itemsOf = async (account: SandboxAccount, from: string, to: string) =>
  (await usage(account, from, to)).body.items;

/** Three days with calls and one without: 30 and 31 January, 2 February. */
async function busyDays(): Promise<SandboxAccount> {
  const account = await at("2030-01-30T10:00:00Z");
  for (const make of [phoneCode, bvn, phoneCode]) await make(account);
  await account.advance("24h");
  await address(account);
  await account.advance("48h");
  for (const make of [bvn, address, bvn]) await make(account);
  return account;
}

const january30 = [
  { date: "2030-01-30", type: "phone_code", count: 2, cost: 12 },
  { date: "2030-01-30", type: "bvn", count: 1, cost: 50 },
];
const january31 = [{ date: "2030-01-31", type: "address", count: 1, cost: 150 }];
const february2 = [
  { date: "2030-02-02", type: "bvn", count: 2, cost: 100 },
  { date: "2030-02-02", type: "address", count: 1, cost: 150 },
];

describe("usage by day and type", () => {
  test("has exactly its fields, the oldest day first, and the totals of what it lists", async () => {
    const { status, body } = await usage(await busyDays(), "2030-01-01", "2030-02-28");
    expect(status).toBe(200);
    expect(body).toEqual({
      from: "2030-01-01",
      to: "2030-02-28",
      currency: "NGN",
      total_calls: 7,
      total_cost: 462,
      items: [...january30, ...january31, ...february2],
    });
  });

  test("includes the days from and to, and no others", async () => {
    const account = await busyDays();
    expect(await itemsOf(account, "2030-01-30", "2030-01-31")).toEqual([...january30, ...january31]);
    expect(await itemsOf(account, "2030-01-31", "2030-02-01")).toEqual(january31);
    expect(await itemsOf(account, "2030-01-31", "2030-02-02")).toEqual([...january31, ...february2]);
    const { body } = await usage(account, "2030-01-31", "2030-01-31");
    expect(body).toMatchObject({ total_calls: 1, total_cost: 150, items: january31 });
  });

  test.each([
    ["2030-02-01", "2030-02-01"],
    ["1999-01-01", "2030-01-29"],
    ["2030-02-03", "9999-12-31"],
  ])("is empty from %s to %s", async (from, to) => {
    const { status, body } = await usage(await busyDays(), from, to);
    expect(status).toBe(200);
    expect(body).toEqual({ from, to, currency: "NGN", total_calls: 0, total_cost: 0, items: [] });
  });

  test("changes the day at midnight UTC of the account's clock", async () => {
    const account = await at("2030-02-28T23:59:59.999Z");
    await bvn(account);
    await account.advance("1ms");
    await bvn(account);
    expect(await itemsOf(account, "2030-02-01", "2030-03-31")).toEqual([
      { date: "2030-02-28", type: "bvn", count: 1, cost: 50 },
      { date: "2030-03-01", type: "bvn", count: 1, cost: 50 },
    ]);
  });

  test("counts a code sent from the dashboard under the type of the others", async () => {
    const account = await at("2030-01-30T10:00:00Z");
    for (const make of [phoneCode, dashboardCode]) await make(account);
    expect(await itemsOf(account, "2030-01-30", "2030-01-30")).toEqual([
      { date: "2030-01-30", type: "phone_code", count: 2, cost: 14 },
    ]);
  });

  test("is separate for each account", async () => {
    await busyDays();
    expect(await itemsOf(await at("2030-01-30T10:00:00Z"), "2000-01-01", "2100-01-01")).toEqual([]);
  });
});

describe("what usage counts", () => {
  const day = "2030-01-30";
  const today = async (account: SandboxAccount) => (await usage(account, day, day)).body;

  test("includes a refunded call, at cost 0", async () => {
    const account = await at(`${day}T10:00:00Z`);
    await failedPhoneCode(account);
    expect(await today(account)).toMatchObject({
      total_calls: 1,
      total_cost: 0,
      items: [{ date: day, type: "phone_code", count: 1, cost: 0 }],
    });
    await phoneCode(account);
    expect(await today(account)).toMatchObject({
      total_calls: 2,
      total_cost: 6,
      items: [{ type: "phone_code", count: 2, cost: 6 }],
    });
  });

  test("includes a free call, at cost 0", async () => {
    const account = await at(`${day}T10:00:00Z`);
    await account.update({ free_tier: 1 });
    for (const make of [bvn, bvn]) await make(account);
    expect((await today(account)).items).toEqual([{ date: day, type: "bvn", count: 2, cost: 50 }]);
  });

  test("includes a lookup that found nothing, at its price", async () => {
    const account = await at(`${day}T10:00:00Z`);
    const { body } = await post(account, "/v1/verify/nin", { nin: "70000000001" });
    expect(body.status).toBe("not_found");
    expect((await today(account)).items).toEqual([{ date: day, type: "nin", count: 1, cost: 50 }]);
  });

  test("excludes errors: 400, 402, 404, 429, 500, 503 and 504", async () => {
    const account = await at(`${day}T10:00:00Z`);
    const statuses = [(await post(account, "/v1/verify/bvn", { bvn: "1" })).status];
    for (const outcome of ["rate_limited", "internal_error", "provider_unavailable", "provider_timeout"]) {
      const headers = { "X-Sandbox-Outcome": outcome };
      statuses.push((await post(account, "/v1/verify/bvn", { bvn: "22301948576" }, headers)).status);
    }
    statuses.push(
      (await locate(account, { id: "ver_0" }, { latitude: 6, longitude: 3, accuracy_m: 1 })).status,
    );
    await account.update({ balance: 5 });
    for (const make of [phoneCode, address, ...Object.values(lookups)])
      statuses.push((await make(account)).status);
    expect(statuses).toEqual([400, 429, 500, 503, 504, 404, ...Array(7).fill(402)]);
    expect(await today(account)).toMatchObject({ total_calls: 0, total_cost: 0, items: [] });
  });

  test("excludes operations without a price", async () => {
    const account = await at(`${day}T10:00:00Z`);
    const check = await started(account);
    await submit(account, check);
    await locate(account, check, near(check));
    for (const path of ["/v1/balance", "/v1/pricing"]) await call(account, "GET", path);
    expect((await today(account)).items).toEqual([{ date: day, type: "address", count: 1, cost: 150 }]);
  });

  test("adds up to the wallet's expenses", async () => {
    const account = await at(`${day}T10:00:00Z`);
    for (const make of [phoneCode, failedPhoneCode, address, ...Object.values(lookups)]) await make(account);
    const { balance } = (await call(account, "GET", "/v1/balance")).body;
    expect((await today(account)).total_cost).toBe(1_000_000 - balance);
  });
});

describe("the days of a usage query", () => {
  const query = (search: string) => call(sandbox.account(), "GET", `/v1/usage${search}`);

  test.each([
    ["?to=2030-01-31", "from"],
    ["?from=2030-01-31", "to"],
    ["", "from"],
  ])("are both needed: %j", async (search, param) => {
    const { status, body } = await query(search);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "missing_field", param });
  });

  test.each([
    "2026-02-30",
    "2026-02-29",
    "2100-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "26-1-1",
    "2026-1-01",
    "2026-01-01T00:00:00Z",
    "20260101",
    "01/02/2026",
    "+02026-01-01",
    "today",
    "",
  ])("cannot be %j", async (date) => {
    for (const [param, search] of [
      ["from", `?from=${encodeURIComponent(date)}&to=2026-12-31`],
      ["to", `?from=2026-01-01&to=${encodeURIComponent(date)}`],
    ] as const) {
      const { status, body } = await query(search);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: "validation_error", param });
    }
  });

  test("may be 29 February of a leap year", async () => {
    expect((await query("?from=2028-02-29&to=2028-02-29")).status).toBe(200);
  });

  test("cannot be given twice", async () => {
    const { status, body } = await query("?from=2026-01-01&from=2026-01-02&to=2026-01-31");
    expect(status).toBe(400);
    expect(body.error.param).toBe("from");
  });

  test("cannot have from after to", async () => {
    const { status, body } = await query("?from=2026-02-01&to=2026-01-31");
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "validation_error", param: "from" });
    expect(body.error.message).toContain("2026-02-01 is after 2026-01-31");
  });
});

const refunding = useSandbox({ assumptions: { "audits.failed": "refunded" } });

test("usage includes a call that was refunded after midnight, on the day of the call at cost 0", async () => {
  const day = "2030-01-30";
  const account = refunding.account();
  await account.clock.freeze(`${day}T23:58:00Z`);
  await failingDeepAudit(account);
  expect((await usage(account, day, day)).body.total_cost).toBe(5_000);
  await account.advance("5m");
  expect((await usage(account, day, "2030-01-31")).body).toMatchObject({
    total_calls: 1,
    total_cost: 0,
    items: [{ date: day, type: "audit_deep", count: 1, cost: 0 }],
  });
  expect((await call(account, "GET", "/v1/balance")).body.balance).toBe(1_000_000);
});
