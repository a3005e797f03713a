/** A clean stop, and `standin snapshot`, leave a document per account that a person can read. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { documentFile, foldingFile, journalFile } from "../../../src/world/store/account-files.js";
import { foldFiles } from "../../../src/world/store/fold.js";
import { isJustBegun } from "../../../src/world/store/journal.js";
import { accountFile, freshFolder, startOn } from "../../support/folder.js";
import { copyAsKilled, expectSoundIndex, openOn } from "../../support/folder-sandbox.js";
import { runProgram } from "../../support/program.js";
import { post } from "../../support/sandbox.js";
import { bytes, openWorld, put } from "../../support/world.js";

const key = "svc_test_stopped";
const other = "svc_test_other";

/** Returns whether commits are left in the journal. */
const hasCommits = (folder: string, ofKey = key): boolean =>
  !isJustBegun(accountFile(folder, ofKey, journalFile));
const documentOf = (folder: string, ofKey = key) =>
  JSON.parse(readFileSync(accountFile(folder, ofKey, documentFile), "utf8"));

test("a clean stop writes the documents, which the next start reads", async () => {
  const folder = freshFolder();
  const program = await startOn(folder);
  const { id } = (await post(program.account(key), "/v1/phone/verify/start", { phone: "08031234567" })).body;
  expect(hasCommits(folder)).toBe(true);
  expect(await program.stop("SIGTERM")).toBe(0);
  expect(hasCommits(folder)).toBe(false);
  expect(documentOf(folder).phone_verification[id]).toMatchObject({ id, state: "pending" });

  await expectSoundIndex(folder);
  const again = await openOn(folder);
  expect((await again.account(key).records.get(id)).state).toBe("pending");
  await again.stop();
  expect(program.stderr() + again.stderr()).toBe("");
});

test("standin snapshot writes the document of its account, and the commits since then are kept", async () => {
  const folder = freshFolder();
  const sandbox = await openOn(folder);
  const start = async (ofKey: string): Promise<string> =>
    (await post(sandbox.account(ofKey), "/v1/phone/verify/start", { phone: "08031234567" })).body.id;
  const ids = [await start(key), await start(key)];
  await start(other);
  const { code } = await runProgram(["snapshot", "--url", sandbox.url, "--key", key]);
  expect(code).toBe(0);
  expect(Object.keys(documentOf(folder).phone_verification)).toEqual(ids);
  expect([hasCommits(folder), hasCommits(folder, other)]).toEqual([false, true]);
  ids.push(await start(key));
  const again = (await openOn(copyAsKilled(folder))).account(key);
  for (const id of ids) expect((await again.records.get(id)).state).toBe("pending");
});

test("a clean stop compacts the journal that an earlier, killed process left", async () => {
  const inUse = freshFolder();
  const killed = await openOn(inUse);
  for (const ofKey of [key, other])
    await post(killed.account(ofKey), "/v1/phone/verify/start", { phone: "08031234567" });
  const folder = copyAsKilled(inUse);
  const { account, close } = openWorld(folder);
  await account(key);
  await close();
  expect([hasCommits(folder), hasCommits(folder, other)]).toEqual([false, true]);
});

test("evicted accounts are compacted too", async () => {
  const folder = freshFolder();
  const { world, account, close } = openWorld(folder);
  const opened = await account(key);
  put(opened, "things", "one", { number: 1 });
  await opened.safe();
  expect(world.idle.evict(-1)).toBe(1);
  await close();
  expect(hasCommits(folder)).toBe(false);
  expect(documentOf(folder).things).toEqual({ one: { number: 1 } });
});

const files = { document: documentFile, journals: [foldingFile, journalFile] };

test("a compaction that runs out of time leaves the account unchanged", async () => {
  const folder = freshFolder();
  const first = openWorld(folder);
  const account = await first.account(key);
  put(account, "things", "one", { number: 1 });
  await account.safe();
  await first.close();
  const second = openWorld(folder);
  const reopened = await second.account(key);
  put(reopened, "things", "two", { number: 2 });
  await reopened.safe();
  const before = bytes(reopened);
  // Counts the records that are read and written.
  const records =
    2 * [...reopened.state.tables()].reduce((sum, table) => sum + reopened.state.size(table), 0);
  for (let time = 0; time < records; time++) {
    let left = time;
    const checkTime = () => {
      if (left-- === 0) throw new Error("out of time");
    };
    await expect(foldFiles(accountFile(folder, key), files, checkTime)).rejects.toThrow("out of time");
    expect(documentOf(folder).things).toEqual({ one: { number: 1 } });
    expect(existsSync(accountFile(folder, key, `${documentFile}.new`))).toBe(false);
  }
  await foldFiles(accountFile(folder, key), files);
  expect(documentOf(folder).things).toEqual({ one: { number: 1 }, two: { number: 2 } });
  await second.close();
  expect(bytes(await openWorld(folder).account(key))).toBe(before);
});
