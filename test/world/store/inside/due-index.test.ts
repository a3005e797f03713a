import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { accountFile, freshFolder } from "../../../support/folder.js";
import { openOn } from "../../../support/folder-sandbox.js";
import { temporaryFolder } from "../../../support/program.js";
import { type Receiver, startReceiver } from "../../../support/receiver.js";
import { post } from "../../../support/sandbox.js";
import { copyAsKilled, expectSoundDueTimes } from "../../../support/stores.js";
import { until } from "../../../support/until.js";

interface Pending {
  folder: string;
  /** Port of the receiver, which nothing listens on. */
  port: number;
}

const prepared = new Map<string, Promise<Pending>>();
afterAll(async () => {
  for (const { folder } of await Promise.all(prepared.values()))
    rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder as a killed process leaves it, in which each account has a delivery that failed. */
async function prepare(keys: readonly string[]): Promise<Pending> {
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
  const folder = copyAsKilled(inUse, temporaryFolder());
  await sandbox.stop();
  return { folder, port: Number(new URL(down.url).port) };
}

/** Creates an unused folder with deliveries to the receiver that are due. Those of the same accounts are copies. */
async function folderWithPending(...keys: string[]): Promise<{ folder: string; receiver: Receiver }> {
  const name = keys.join();
  const pending = prepared.get(name) ?? prepare(keys);
  prepared.set(name, pending);
  const { folder: original, port } = await pending;
  const folder = freshFolder();
  cpSync(original, folder, { recursive: true });
  const receiver = await startReceiver(undefined, port);
  onTestFinished(() => receiver.close());
  return { folder, receiver };
}

const linesOf = (folder: string): string[] =>
  readFileSync(join(folder, "due.ndjson"), "utf8").split("\n").filter(Boolean);

test("a start reads only those of many accounts that have due jobs", async () => {
  const { folder, receiver } = await folderWithPending("svc_test_due");
  // Reading these would report them as damaged.
  for (let i = 0; i < 100; i++) {
    const idle = `svc_test_idle_${i}`;
    mkdirSync(accountFile(folder, idle), { recursive: true });
    writeFileSync(accountFile(folder, idle, "journal.ndjson"), "damaged\ndamaged\n");
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
  const journal = accountFile(folder, "svc_test_damaged", "journal.ndjson");
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
  // It was due before the other one and is looked up first.
  await receiver.got(1);
  const { status, body } = await post(sandbox.account("svc_live_moved"), "/v1/phone/verify/start", {
    phone: "08031234567",
  });
  expect([status, body.is_test]).toEqual([201, false]);
  expect(receiver.received).toHaveLength(1);
});

/** Starts on the folder and expects the pending delivery to be made and the index to name the account again. */
async function expectRebuilt(folder: string, receiver: Receiver, says: string): Promise<void> {
  const sandbox = await openOn(folder);
  await receiver.got(1);
  expect(sandbox.stderr()).toContain(
    `${join(folder, "due.ndjson")} ${says}; it is rebuilt from all accounts`,
  );
  await sandbox.stop();
  await expectSoundDueTimes(folder);
  const again = await openOn(folder);
  await post(again.account("svc_test_later"), "/v1/phone/verify/start", { phone: "08031234567" });
  expect(again.stderr()).toBe("");
}

describe("an unreliable index is rebuilt in the background, with a warning", () => {
  test("if it is missing", async () => {
    const { folder, receiver } = await folderWithPending("svc_test_due");
    rmSync(join(folder, "due.ndjson"));
    await expectRebuilt(folder, receiver, "is missing");
  });

  test.each(["nonsense", "[]", '["acct_x"]', '["acct_x","soon"]', "[1,2]", "{}"])(
    "if one of its lines is %s",
    async (line) => {
      const { folder, receiver } = await folderWithPending("svc_test_due");
      const index = join(folder, "due.ndjson");
      writeFileSync(index, `${line}\n${readFileSync(index, "utf8")}`);
      await expectRebuilt(folder, receiver, "is damaged in line 1");
    },
  );

  test("if a line was removed", async () => {
    const { folder, receiver } = await folderWithPending("svc_test_other", "svc_test_due");
    writeFileSync(join(folder, "due.ndjson"), `${linesOf(folder).slice(1).join("\n")}\n`);
    await expectRebuilt(folder, receiver, "is damaged in line 1");
    await receiver.got(2);
  });

  test("if it is long and has no lines", async () => {
    const { folder, receiver } = await folderWithPending("svc_test_due");
    writeFileSync(join(folder, "due.ndjson"), "x".repeat(5_000));
    await expectRebuilt(folder, receiver, "is damaged");
  });
});

test("a truncated last line is not damage, as its commit was never acknowledged", async () => {
  const { folder, receiver } = await folderWithPending("svc_test_due");
  appendFileSync(join(folder, "due.ndjson"), '["acct_cut_o');
  const sandbox = await openOn(folder);
  await receiver.got(1);
  expect(sandbox.stderr()).toBe("");
});

test("a new folder gets an index without a warning, even if nothing ever falls due", async () => {
  const folder = freshFolder();
  for (let start = 0; start < 2; start++) {
    const sandbox = await openOn(folder);
    await sandbox.account("svc_test_idle").update({ plan: "starter" });
    await sandbox.stop();
    expect(sandbox.stderr()).toBe("");
    await expectSoundDueTimes(folder);
  }
});

test("it is rewritten at shutdown, with one line for each account that has pending jobs", async () => {
  const { folder, receiver } = await folderWithPending("svc_test_due");
  const sandbox = await openOn(folder);
  // Only the index names this account, so it has been read once the delivery arrives.
  await receiver.got(1);
  const { deliveries } = sandbox.account("svc_test_due");
  await until("the delivery has succeeded", async () => (await deliveries.list())[0]?.status === "succeeded");
  for (const key of ["svc_test_one", "svc_test_two", "svc_test_done"]) {
    for (let i = 0; i < 5; i++)
      await post(sandbox.account(key), "/v1/phone/verify/start", { phone: "08031234567" });
  }
  await sandbox.account("svc_test_done").advance("1h");
  await sandbox.stop();
  const [one, two] = ["svc_test_one", "svc_test_two"].map((key) => accountFile("", key).split("/")[1]);
  expect(linesOf(folder).map((line) => JSON.parse(line)[0])).toEqual([one, two]);
});
