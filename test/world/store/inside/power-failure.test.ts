/** The order of writes and syncs: a power failure or a kill at any moment loses nothing that was acknowledged. */
import "../../../support/disk-trace.js";

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FileStore } from "../../../../src/world/store/file-store.js";
import type { AccountLog } from "../../../../src/world/store/store.js";
import { type DiskStep, traceDisk, unsynced } from "../../../support/disk-trace.js";
import { freshFolder } from "../../../support/folder.js";
import { openAccount, ownRecords, whenSafe } from "../../../support/stores.js";
import { until } from "../../../support/until.js";

async function openStore(
  folder: string,
  warn: (message: string) => void = () => {},
  durability: "process" | "power" = "power",
) {
  const store = await FileStore.open({ folder, durability, version: "0.3.0", warn });
  onTestFinished(() => store.close());
  return store;
}

/** Appends a commit that makes the account due, and waits until it is acknowledged. */
async function commit(store: FileStore, id: string): Promise<AccountLog> {
  const { log, commit, safe } = await openAccount(store, id);
  commit(...ownRecords, ["jobs", "job", '{"due":5,"kind":"k"}']);
  store.noteDue(id, 5);
  await safe();
  return log;
}

/** Files that a power failure would lose. Nothing depends on the lock. */
const lostBy = (traced: readonly DiskStep[]) =>
  [...unsynced(traced)].filter((path) => !path.includes("/lock"));

test("an acknowledged commit in a new folder is on the disk, with the names of its folders", async () => {
  const traced = traceDisk();
  const store = await openStore(join(freshFolder(), "some", "where"));
  await commit(store, "acct_first");
  expect(lostBy(traced)).toEqual([]);
});

test("a folder that is written again after it was removed is on the disk with the next commit", async () => {
  const traced = traceDisk();
  const folder = join(freshFolder(), "data");
  const warnings: string[] = [];
  const store = await openStore(folder, (message) => warnings.push(message));
  await commit(store, "acct_first");
  rmSync(folder, { recursive: true });
  await until("the folder is restored", () => existsSync(join(folder, "standin.json")));
  await commit(store, "acct_second");
  expect(lostBy(traced)).toEqual([]);
  expect(warnings).toHaveLength(1);
});

test.each(["process", "power"] as const)(
  "%s: a new document is on the disk before it replaces the old one, and that before the journal is cut",
  async (durability) => {
    const folder = freshFolder();
    const store = await openStore(folder, undefined, durability);
    const log = await commit(store, "acct_first");
    const traced = traceDisk();
    await log.fold?.();
    const account = join(folder, "accounts", "acct_first");
    const steps = traced
      .filter(({ path }) => path.startsWith(account))
      .map(({ step, path }) => `${step} ${path.slice(account.length)}`)
      .filter((step, i, all) => step !== all[i - 1]);
    expect(steps).toEqual([
      "make /state.json.new",
      "write /state.json.new",
      "sync /state.json.new",
      "remove /state.json.new",
      "make /state.json",
      "sync /state.json",
      "sync ",
      "make /journal.ndjson.new",
      "write /journal.ndjson.new",
      "sync /journal.ndjson.new",
      "remove /journal.ndjson.new",
      "make /journal.ndjson",
      "sync /journal.ndjson",
      "sync ",
    ]);
    expect(lostBy(traced)).toEqual([]);
  },
);

test("lines that follow a cut are on the disk once they are acknowledged", async () => {
  const folder = freshFolder();
  const store = await openStore(folder);
  const log = await commit(store, "acct_first");
  await log.fold?.();
  const traced = traceDisk();
  log.append([["things", "a", "1"]]);
  await whenSafe(log);
  expect(traced.map(({ step }) => step)).toContain("write");
  expect(lostBy(traced)).toEqual([]);
});
