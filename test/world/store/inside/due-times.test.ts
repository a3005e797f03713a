/** Accounts whose jobs fall due while no process runs are opened by the next start, and only they. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { accountFile, freshFolder } from "../../../support/folder.js";
import { openOn } from "../../../support/folder-sandbox.js";
import { type Receiver, startReceiver } from "../../../support/receiver.js";
import { post, startPhone } from "../../../support/sandbox.js";
import { copyAsKilled, journalOf, openStore } from "../../../support/stores.js";
import { until } from "../../../support/until.js";
import { openWorld, put } from "../../../support/world.js";

/** Creates a folder as a killed process leaves it, in which each account has a delivery to the receiver that failed and is due. */
async function folderWithPending(...keys: string[]): Promise<{ folder: string; receiver: Receiver }> {
  const down = await startReceiver();
  await down.close();
  const inUse = freshFolder();
  const sandbox = await openOn(inUse);
  for (const key of keys) {
    const account = sandbox.account(key);
    await post(account, "/v1/webhooks", { url: down.url });
    await account.events.trigger("payout.paid");
    await until("an attempt has failed", async () => (await account.deliveries.list())[0]?.attempts.length);
  }
  const folder = copyAsKilled(inUse);
  await sandbox.stop();
  const receiver = await startReceiver(undefined, Number(new URL(down.url).port));
  onTestFinished(() => receiver.close());
  return { folder, receiver };
}

test("a start reads only those of many accounts that have due jobs", async () => {
  const { folder, receiver } = await folderWithPending("svc_test_due");
  // Reading these would report them as damaged.
  for (let i = 0; i < 100; i++) {
    const idle = `svc_test_idle_${i}`;
    cpSync(accountFile(folder, "svc_test_due"), accountFile(folder, idle), { recursive: true });
    writeFileSync(journalOf(folder, idle), 'damaged\n[2,null,[],"00000000"]\n');
  }
  const sandbox = await openOn(folder);
  await receiver.got(1);
  expect((await post(sandbox.account("svc_test_new"), "/v1/webhooks", { url: receiver.url })).status).toBe(
    201,
  );
  await sandbox.stop();
  expect(sandbox.stderr()).toBe("");
});

test("an unreadable account that falls due is reported in one line, and the others continue", async () => {
  const { folder, receiver } = await folderWithPending("svc_test_damaged", "svc_test_due");
  const journal = journalOf(folder, "svc_test_damaged");
  writeFileSync(journal, `damaged\n${readFileSync(journal, "utf8")}`);
  const sandbox = await openOn(folder);
  await receiver.got(1);
  await until("the damage is reported", () => sandbox.stderr().includes("\n"));
  expect(sandbox.stderr().trimEnd().split("\n")).toEqual([expect.stringContaining(`${journal}, line 1,`)]);
});

test("an account whose folder was moved away starts empty, in the mode of its key", async () => {
  const { folder, receiver } = await folderWithPending("svc_live_moved", "svc_test_due");
  rmSync(accountFile(folder, "svc_live_moved"), { recursive: true });
  const sandbox = await openOn(folder);
  await receiver.got(1);
  const { status, body } = await startPhone(sandbox.account("svc_live_moved"));
  expect([status, body.is_test]).toEqual([201, false]);
  expect(receiver.received).toHaveLength(1);
});

test("an account whose job is in flight is due in the store, whatever is committed until the job ends", async () => {
  const bell = () => new Promise<never>(() => {});
  const folder = freshFolder();
  const first = openWorld(folder, { bell });
  const ringing = await first.account("svc_test_ringing");
  const now = ringing.clock.now();
  ringing.commit("api", () => {
    ringing.jobs.schedule("first", { due: now, kind: "bell" });
    ringing.jobs.schedule("later", { due: now + 3_600_000, kind: "bell" });
  });
  await ringing.safe();
  const copy = copyAsKilled(folder);
  const second = openWorld(copy, { bell });
  const again = await second.account("svc_test_ringing");
  await until("the job has begun", () => again.inFlight.size > 0);
  put(again, "things", "one", 1);
  await again.safe();
  const store = await openStore(copyAsKilled(copy));
  onTestFinished(() => store.close());
  const [[, due] = []] = [...(await store.dueAccounts())];
  expect(due).toBeLessThanOrEqual(now);
});
