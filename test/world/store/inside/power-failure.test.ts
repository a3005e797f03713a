/** The order of writes and syncs: a power failure or a kill at any moment loses nothing that was acknowledged. */
import "../../../support/disk-trace.js";

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { foldingFile, journalFile } from "../../../../src/world/store/account-files.js";
import { FileStore } from "../../../../src/world/store/file-store.js";
import { foldFiles } from "../../../../src/world/store/journal-folds.js";
import { seal } from "../../../../src/world/store/lines.js";
import { State } from "../../../../src/world/store/state.js";
import type { AccountLog, OpenedAccount } from "../../../../src/world/store/store.js";
import { type DiskStep, traceDisk, unsynced } from "../../../support/disk-trace.js";
import { freshFolder } from "../../../support/folder.js";
import { until } from "../../../support/until.js";

async function openStore(folder: string, warn: (message: string) => void = () => {}) {
  const store = await FileStore.open({ folder, durability: "power", version: "0.2.0", warn });
  onTestFinished(() => store.close());
  return store;
}

const jobs = [["jobs", "job", '{"due":5,"kind":"k"}']] as const;

/** Appends a commit that makes the account due, and waits until it is acknowledged. */
async function commit(store: FileStore, id: string): Promise<AccountLog> {
  const { log } = store.open(id, new State(), () => {}) as OpenedAccount;
  store.noteDue(id, 5);
  log.append(jobs);
  await new Promise((resolve) => log.whenSafe(resolve));
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

test("the index of a removed folder is never seen without its lines, whenever the process is killed", async () => {
  const folder = join(freshFolder(), "data");
  const index = join(folder, "due.ndjson");
  const store = await openStore(folder);
  await commit(store, "acct_first");
  const line = readFileSync(index, "utf8");
  rmSync(folder, { recursive: true });
  const seen = new Set<string>();
  traceDisk(() => void (existsSync(index) && seen.add(readFileSync(index, "utf8"))));
  await until("the index is restored", () => existsSync(index));
  expect([...seen]).toEqual([line]);
});

test("the index that is rewritten at a stop is on the disk, also if lines were pending", async () => {
  const folder = freshFolder();
  const store = await openStore(folder);
  await store.dueAccounts();
  const log = await commit(store, "acct_first");
  for (let due = 4; due > 0; due--) store.noteDue("acct_first", due);
  store.noteDue("acct_second", 1);
  const traced = traceDisk();
  log.close();
  await store.close();
  const index = join(folder, "due.ndjson");
  expect(traced.filter(({ path }) => path === index)).toContainEqual({ step: "make", path: index });
  expect(lostBy(traced)).toEqual([]);
});

test("an older journal is gone for good before the newer one is replaced", async () => {
  const folder = freshFolder();
  for (const [at, name] of [foldingFile, journalFile].entries())
    writeFileSync(join(folder, name), seal([`[["things","one",${at}]]\n`], 0).bytes);
  const traced = traceDisk();
  await foldFiles(folder, { journals: [foldingFile, journalFile] });
  const steps = traced.map(({ step, path }) => `${step} ${path.slice(folder.length)}`);
  const removed = steps.slice(steps.indexOf(`remove /${foldingFile}`));
  expect(removed.slice(0, 3)).toEqual([`remove /${foldingFile}`, "sync ", `make /${journalFile}.new`]);
  expect(
    unsynced(
      traced.slice(
        0,
        traced.findIndex(({ path }) => path.endsWith(foldingFile)),
      ),
    ),
  ).toEqual(new Set());
});
