import { expect, onTestFinished, test } from "vitest";
import { createSandbox, startSandbox } from "../../../../src/index.js";
import { proxyTo } from "../../../support/cut-connections.js";
import { freshDatabase } from "../../../support/postgres.js";
import { call, post } from "../../../support/sandbox.js";
import { until } from "../../../support/until.js";

const start = { phone: "08031234567" };

test("while PostgreSQL is away, writes are refused with 503; afterwards everything acknowledged is there", async () => {
  const database = await freshDatabase();
  const proxy = await proxyTo(database.url);
  const sandbox = await createSandbox({ store: proxy.url, validateReplies: true, warn: () => {} });
  onTestFinished(() => sandbox.close());
  const account = sandbox.account();
  const known: string[] = [];
  const startPhone = async () => {
    const reply = await post(account, "/v1/phone/verify/start", start);
    if (reply.status === 201) known.push(reply.body.id);
    return reply;
  };
  for (let i = 0; i < 3; i++) await startPhone();
  // Writes are on their way while the connections are cut.
  const cutOff = Array.from({ length: 20 }, startPhone);
  proxy.cut();
  for (const { status } of await Promise.all(cutOff)) expect([201, 503]).toContain(status);
  const refused = await startPhone();
  expect([refused.status, refused.body.error.code]).toEqual([503, "storage_unavailable"]);
  expect(refused.headers.get("retry-after")).toBe("1");
  proxy.restore();
  await until("writes are accepted again", async () => (await startPhone()).status === 201);
  const { items } = (await call(account, "GET", "/_sandbox/machines/phone_verification/records")).body;
  const stored = new Set(items.map(({ id }: { id: string }) => id));
  expect(known.filter((id) => !stored.has(id))).toEqual([]);
  expect((await call(account, "GET", "/_sandbox/account")).body.balance).toBe(1_000_000 - 6 * stored.size);
});

// Takes as long as a lease.
test("a replica is not ready once its lease has ended, and ready again when PostgreSQL is back", async () => {
  const database = await freshDatabase();
  const proxy = await proxyTo(database.url);
  const sandbox = await startSandbox({ store: proxy.url, warn: () => {} });
  onTestFinished(() => sandbox.close());
  const status = async () => (await fetch(`${sandbox.url}/readyz`)).status;
  const metrics = async () => (await fetch(`${sandbox.url}/metrics`)).text();
  await post(sandbox.account(), "/v1/phone/verify/start", start);
  expect(await status()).toBe(200);
  expect(await metrics()).toContain("standin_lease_live 1\n");
  expect(await metrics()).toMatch(/^standin_accounts_owned\{replica="\w+"\} 1$/m);
  proxy.cut();
  await until("the replica is not ready", async () => (await status()) === 503, 100);
  expect(await metrics()).toContain("standin_lease_live 0\n");
  expect((await fetch(`${sandbox.url}/healthz`)).status).toBe(200);
  proxy.restore();
  await until("the replica is ready", async () => (await status()) === 200, 100);
});

test("a sandbox does not start without its database, and the message does not show the password", async () => {
  const starting = createSandbox({ store: "postgres://me:opensesame@127.0.0.1:1/sandbox" });
  await expect(starting).rejects.toThrow("the store postgres://127.0.0.1:1/sandbox cannot be used");
  await expect(starting).rejects.not.toThrow("opensesame");
});
