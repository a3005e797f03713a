/** Limits that an operator sets for a shared sandbox. */
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ControlledSandbox } from "../../src/control/operation.js";
import { type SandboxOptions, startSandbox } from "../../src/index.js";
import { createSandboxServer } from "../../src/sandbox.js";
import { accountId } from "../../src/world/account/account-id.js";
import { freshFolder } from "../support/folder.js";
import { freshDatabase } from "../support/postgres.js";
import { call, post } from "../support/sandbox.js";
import { until } from "../support/until.js";

async function started(options: SandboxOptions) {
  const sandbox = await startSandbox({ validateReplies: true, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const phone = { phone: "08031234567" };

describe.each([
  ["in memory", () => ({})],
  ["in a folder", () => ({ data: freshFolder() })],
  ["in PostgreSQL", async () => ({ store: (await freshDatabase()).url })],
])("with --max-accounts, %s,", (_where, place) => {
  test("further keys are refused with the reason, unless they are registered", async () => {
    const sandbox = await started({ maxAccounts: 2, ...(await place()) });
    const [one, other, third] = [sandbox.account(), sandbox.account(), sandbox.account()];
    for (const account of [one, other, one])
      expect((await post(account, "/v1/phone/verify/start", phone)).status).toBe(201);
    const refused = await post(third, "/v1/phone/verify/start", phone);
    expect([refused.status, refused.body.error.code]).toEqual([401, "invalid_api_key"]);
    expect(refused.body.error.message).toContain("--max-accounts 2");
    // Accounts that were refused take no memory.
    const metrics = await (await fetch(`${sandbox.url}/metrics`)).text();
    expect(metrics).toContain("standin_accounts_in_memory 2\n");
    await one.control("POST", "/keys", { key: third.key });
    expect((await post(third, "/v1/phone/verify/start", phone)).status).toBe(201);
  });

  test("no more keys than that are accepted at once, and refused ones take no place", async () => {
    const sandbox = await started({ maxAccounts: 5, ...(await place()) });
    const start = () => post(sandbox.account(), "/v1/phone/verify/start", phone);
    const first = await Promise.all(Array.from({ length: 3 }, start));
    expect(first.map(({ status }) => status)).toEqual([201, 201, 201]);
    const replies = await Promise.all(Array.from({ length: 200 }, start));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, ...Array.from({ length: 198 }, () => 401)]);
  });

  test("a control call with a further key opens no account either", async () => {
    const sandbox = await started({ maxAccounts: 1, ...(await place()) });
    expect((await post(sandbox.account(), "/v1/phone/verify/start", phone)).status).toBe(201);
    const further = sandbox.account();
    await expect(further.update({ plan: "growth" })).rejects.toMatchObject({ code: "invalid_api_key" });
    expect((await post(further, "/v1/phone/verify/start", phone)).status).toBe(401);
    await sandbox.account({ key: "svc_test_demo" }).control("POST", "/keys", { key: further.key });
    expect((await post(further, "/v1/phone/verify/start", phone)).status).toBe(201);
  });

  test("keys that have only read so far count as well", async () => {
    const sandbox = await started({ maxAccounts: 5, ...(await place()) });
    const accounts = Array.from({ length: 40 }, () => sandbox.account());
    for (const path of ["/v1/balance", "/v1/pricing"]) {
      const replies = await Promise.all(accounts.map((account) => call(account, "GET", path)));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    }
  });
});

test("sandboxes on one database accept no more keys than that together, at once and after one has stopped", async () => {
  const { url } = await freshDatabase();
  const options = { maxAccounts: 5, store: url };
  const [one, other] = [await started(options), await started(options)];
  const ask = async (at: number) => {
    const account = (at % 2 === 0 ? one : other).account();
    return at % 4 < 2 ? post(account, "/v1/phone/verify/start", phone) : call(account, "GET", "/v1/balance");
  };
  const replies = await Promise.all(Array.from({ length: 80 }, (_, at) => ask(at)));
  expect(replies.filter(({ status }) => status < 300)).toHaveLength(5);
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(75);
  await other.close();
  // Keys that have only read leave their places with the sandbox that admitted them.
  const readers = replies.filter((reply, at) => at % 4 === 3 && reply.status === 200).length;
  const further = await Promise.all(
    Array.from({ length: 20 }, () => post(one.account(), "/v1/phone/verify/start", phone)),
  );
  expect(further.filter(({ status }) => status === 201)).toHaveLength(readers);
});

test("with --max-records, an account cannot grow beyond them, and everything else still works", async () => {
  const sandbox = await started({ maxRecords: 60 });
  const account = sandbox.account();
  const refused = await until("the account is full", async () => {
    const reply = await post(account, "/v1/phone/verify/start", { phone: "08031234567", reference: "r" });
    return reply.status === 503 && reply;
  });
  expect(refused.body.error).toMatchObject({
    code: "storage_unavailable",
    message: expect.stringContaining("at most 60 (--max-records)"),
  });
  const messages = await account.inbox.list();
  await post(account, "/v1/phone/verify/start", phone);
  expect(await account.inbox.list()).toEqual(messages);
  expect((await call(account, "GET", "/v1/balance")).status).toBe(200);
  expect((await post(sandbox.account(), "/v1/phone/verify/start", phone)).status).toBe(201);
  await account.reset();
  expect((await post(account, "/v1/phone/verify/start", phone)).status).toBe(201);
});

test("with --max-requests-per-second, a key that sends more gets 429, and no other", async () => {
  const sandbox = await started({ maxRequestsPerSecond: 1 });
  const account = sandbox.account();
  const replies = await Promise.all(Array.from({ length: 50 }, () => call(account, "GET", "/v1/balance")));
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  const [refused] = replies.filter(({ status }) => status === 429);
  expect(refused?.body.error).toMatchObject({
    code: "rate_limited",
    message: expect.stringContaining("(--max-requests-per-second 1)"),
  });
  expect(refused?.headers.get("retry-after")).toBe("1");
  expect((await call(sandbox.account(), "GET", "/v1/balance")).status).toBe(200);
  for (let i = 0; i < 5; i++) await account.clock.get();
});

describe("unused accounts", () => {
  const keys = { unused: "svc_test_unused", registered: "svc_test_registered", listed: "svc_test_listed" };
  const day = 24 * 60 * 60 * 1000;

  /** Runs the service on each key, and returns the parts of the sandbox that delete accounts. */
  async function used(options: SandboxOptions) {
    const server = await createSandboxServer(options);
    onTestFinished(() => server.close());
    const baseUrl = await server.listen();
    const send = (path: string, key: string, body: object) =>
      fetch(baseUrl + path, {
        method: "POST",
        headers: { "X-Service-Key": key, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
    for (const key of Object.values(keys)) await send("/v1/phone/verify/start", key, phone);
    await send("/_sandbox/keys", keys.registered, { key: keys.registered });
    let sandbox: ControlledSandbox | null = null;
    server.attach((controlled) => {
      sandbox = controlled;
    });
    const { world } = sandbox as unknown as ControlledSandbox;
    const keeps = (id: string) => id === accountId(keys.listed);
    return { world, expire: (ttl: number) => world.expire({ ttl, keeps }) };
  }

  test("in memory are deleted, except those of registered keys", async () => {
    const { world, expire } = await used({});
    expect(await expire(day)).toBe(0);
    for (const account of world.accounts()) account.lastUsed -= 2 * day;
    expect(await expire(day)).toBe(1);
    expect(await world.existing(accountId(keys.unused))).toBeNull();
    for (const key of [keys.registered, keys.listed])
      expect((await world.existing(accountId(key)))?.isUsed).toBe(true);
  });

  test("in a folder are deleted with their files, except those of registered keys", async () => {
    const data = freshFolder();
    const { world, expire } = await used({ data });
    const folder = (key: string) => join(data, "accounts", accountId(key));
    await until("all have left memory", () => world.evict(-1) >= 0 && world.accountsInMemory === 0);
    expect(await expire(day)).toBe(0);
    for (const key of Object.values(keys))
      for (const file of readdirSync(folder(key))) utimesSync(join(folder(key), file), 1, 1);
    expect(await expire(day)).toBe(1);
    expect(readdirSync(join(data, "accounts")).sort()).toEqual(
      [keys.registered, keys.listed].map(accountId).sort(),
    );
    expect(await world.existing(accountId(keys.unused))).toBeNull();
  });

  test("in PostgreSQL are deleted with their rows, except those of registered keys and those in memory", async () => {
    const { url, query } = await freshDatabase();
    const { world, expire } = await used({ store: url });
    const age = () => query("UPDATE standin_account SET used_at = now() - interval '2 days'");
    const stored = async (table: string, column: string) =>
      (await query(`SELECT DISTINCT ${column} AS id FROM standin_${table}`)).map(({ id }) => id).sort();
    await age();
    expect(await expire(day)).toBe(0);
    await until("all have left memory", () => world.evict(-1) >= 0 && world.accountsInMemory === 0);
    await until("all are free", async () => {
      const owned = await query("SELECT FROM standin_account WHERE owner IS NOT NULL");
      return owned.length === 0;
    });
    expect(await expire(day)).toBe(0);
    await age();
    expect(await expire(day)).toBe(1);
    const kept = [keys.registered, keys.listed].map(accountId).sort();
    await until("its rows are gone", async () => (await stored("account", "id")).length === kept.length);
    expect(await stored("account", "id")).toEqual(kept);
    expect(await stored("journal", "account")).toEqual(kept);
    expect(await world.existing(accountId(keys.unused))).toBeNull();
  });
});

test.each([{ maxAccounts: 0 }, { maxRecords: 1.5 }, { maxRequestsPerSecond: -1 }, { accountTtl: "soon" }])(
  "%j is refused",
  async (options) => {
    await expect(startSandbox(options as SandboxOptions)).rejects.toThrow(Object.keys(options)[0]);
  },
);
