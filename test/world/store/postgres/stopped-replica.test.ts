import { expect, test } from "vitest";
import type { SandboxAccount } from "../../../../src/index.js";
import { freshDatabase, startReplica, withTimeout } from "../../../support/postgres.js";
import { call, post } from "../../../support/sandbox.js";
import { until } from "../../../support/until.js";

const start = { phone: "08031234567" };
const requestTimeoutMs = 1_000;

const balanceOf = async (account: SandboxAccount): Promise<number> =>
  (await call(account, "GET", "/_sandbox/account")).body.balance;

test("a replica that was stopped while another one took its account over answers nothing from before", async () => {
  const database = await freshDatabase();
  const [stopped, other] = [await startReplica(database), await startReplica(database)];
  const key = "svc_test_stopped";
  const here = stopped.account(key);
  const there = withTimeout(other, key, requestTimeoutMs);
  expect((await post(here, "/v1/phone/verify/start", start)).status).toBe(201);
  stopped.process.kill("SIGSTOP");
  const write = (path: string, body: object) =>
    until(`another replica takes the account over and does ${path}`, async () => {
      const reply = await post(there, path, body).catch(() => null);
      return reply?.status === 201 && reply;
    });
  const { body: record } = await write("/v1/phone/verify/start", start);
  const { body: check } = await write("/v1/verify/address", {
    full_name: "Ada Obi",
    address: "12 Allen Avenue, Ikeja, Lagos",
    country: "NG",
  });
  // These requests wait in the sockets of the stopped replica, which answers them before it does anything else.
  const page = new URL(check.confirm_url).pathname;
  const ask = () =>
    Promise.all([
      call(here, "GET", "/_sandbox/account"),
      call(here, "GET", `/_sandbox/records/${record.id}`),
      call(here, "GET", page),
      post(here, "/v1/phone/verify/start", start),
    ]);
  const waiting = Promise.all([ask(), ask(), ask()]);
  const balance = await balanceOf(there);
  stopped.process.kill("SIGCONT");
  for (const [account, found, shown, written] of await waiting) {
    for (const { status } of [account, found, shown]) expect([200, 503]).toContain(status);
    if (account.status === 200) expect(account.body.balance).toBeLessThanOrEqual(balance);
    expect([201, 503]).toContain(written.status);
  }
  await until("the replica answers again", async () => (await call(here, "GET", page)).status === 200);
  expect(await balanceOf(here)).toBe(await balanceOf(there));
  expect(stopped.stderr()).toContain("did not renew its lease in time");
});
