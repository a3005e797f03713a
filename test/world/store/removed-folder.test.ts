import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { freshFolder, startOn } from "../../support/folder.js";
import { openOn } from "../../support/folder-sandbox.js";
import { startReceiver } from "../../support/receiver.js";
import { post, startPhone } from "../../support/sandbox.js";
import {
  areDueTimesStored,
  copyAsKilled,
  expectSoundDueTimes,
  isAboutDueTimes,
  journalOf,
  removeDueTimes,
} from "../../support/stores.js";
import { until } from "../../support/until.js";

const start = async (account: SandboxAccount): Promise<string> => (await startPhone(account)).body.id;

/** A file is created before its first line is written. */
const hasLines = (path: string): boolean => existsSync(path) && readFileSync(path, "utf8").endsWith("\n");

/** Starts another sandbox on the folder as a killed process leaves it, and expects every verification. */
async function expectKept(folder: string, ids: Readonly<Record<string, string[]>>): Promise<void> {
  await expectSoundDueTimes(folder);
  const again = await openOn(copyAsKilled(folder));
  for (const [key, own] of Object.entries(ids)) {
    expect(await again.account(key).inbox.list()).toHaveLength(own.length);
    for (const id of own) expect((await again.account(key).records.get(id)).state).toBe("pending");
  }
  expect(again.stderr()).toBe("");
}

describe("a data folder that is removed while in use is rewritten from memory", () => {
  test("within seconds, without a request, with every account in memory", async () => {
    const folder = freshFolder();
    const sandbox = await openOn(folder);
    const ids: Record<string, string[]> = {};
    for (const key of ["svc_test_one", "svc_test_two"])
      ids[key] = [await start(sandbox.account(key)), await start(sandbox.account(key))];
    rmSync(folder, { recursive: true });
    await until("the removal is reported", () => sandbox.stderr().includes(`${folder} was removed`));
    await until("all accounts are written", () =>
      Object.keys(ids).every((key) => hasLines(journalOf(folder, key))),
    );
    for (const key of Object.keys(ids)) ids[key]?.push(await start(sandbox.account(key)));
    // Due times may be written between the removal and its discovery.
    const lines = sandbox
      .stderr()
      .trimEnd()
      .split("\n")
      .filter((line) => !isAboutDueTimes(line));
    expect(lines).not.toEqual([]);
    expect(lines).toEqual(lines.map(() => expect.stringContaining(`${folder} was removed`)));
    await expectKept(folder, ids);
  });

  test("by the next write, if that comes sooner", async () => {
    const folder = freshFolder();
    const sandbox = await openOn(folder);
    const ids = [await start(sandbox.account("svc_test_writing"))];
    rmSync(join(folder, "accounts"), { recursive: true });
    ids.push(await start(sandbox.account("svc_test_writing")));
    await until("the account is written", () => hasLines(journalOf(folder, "svc_test_writing")));
    await expectKept(folder, { svc_test_writing: ids });
  });

  test("with pending jobs", async () => {
    const down = await startReceiver();
    await down.close();
    const folder = freshFolder();
    const sandbox = await openOn(folder);
    const account = sandbox.account("svc_test_due");
    await post(account, "/v1/webhooks", { url: down.url });
    await account.events.trigger("payout.paid");
    removeDueTimes(folder);
    rmSync(join(folder, "accounts"), { recursive: true });
    await until("the account is written", () => hasLines(journalOf(folder, "svc_test_due")));
    await until("the due times are written", () => areDueTimesStored(folder));
    const killed = copyAsKilled(folder);
    await sandbox.stop();
    const receiver = await startReceiver(undefined, Number(new URL(down.url).port));
    await openOn(killed);
    await receiver.got(1);
    await receiver.close();
  });
});

test("once a write after the removal is acknowledged, a killed process has lost no account that was in memory", async () => {
  const folder = freshFolder();
  const program = await startOn(folder);
  const ids: Record<string, string[]> = {};
  for (const key of ["svc_test_one", "svc_test_two", "svc_test_three"])
    ids[key] = [await start(program.account(key))];
  rmSync(folder, { recursive: true });
  ids.svc_test_two?.push(await start(program.account("svc_test_two")));
  await program.stop("SIGKILL");
  await expectKept(folder, ids);
});

test("a write to a folder that was moved away is written at its place before it is acknowledged", async () => {
  const folder = freshFolder();
  const program = await startOn(folder);
  const ids = [await start(program.account("svc_test_moved"))];
  renameSync(join(folder, "accounts"), join(folder, "aside"));
  ids.push(await start(program.account("svc_test_moved")));
  await program.stop("SIGKILL");
  await expectKept(folder, { svc_test_moved: ids });
});

test("while a removed folder cannot be rewritten, requests are refused with 503, and later succeed", async () => {
  const parent = freshFolder();
  const folder = join(parent, "data");
  mkdirSync(folder);
  const sandbox = await openOn(folder);
  const account = sandbox.account("svc_test_refused");
  await startPhone(account);
  renameSync(folder, join(parent, "aside"));
  writeFileSync(folder, "no folder can be here");
  await until("the removal is noticed", () => sandbox.stderr().includes("cannot be created"));
  const refused = await startPhone(account);
  expect([refused.status, refused.body.error.code]).toEqual([503, "storage_unavailable"]);
  rmSync(folder);
  await until(
    "the folder is written",
    () => existsSync(join(folder, "lock")) && readdirSync(join(folder, "lock")).length > 0,
  );
  expect((await startPhone(account)).status).toBe(201);
});
