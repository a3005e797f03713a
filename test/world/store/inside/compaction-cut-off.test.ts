import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { documentFile, foldingFile, journalFile } from "../../../../src/world/store/account-files.js";
import { foldFiles } from "../../../../src/world/store/journal-folds.js";
import { accountFile, freshFolder } from "../../../support/folder.js";
import { openOn } from "../../../support/folder-sandbox.js";
import { post } from "../../../support/sandbox.js";
import { copyAsKilled } from "../../../support/stores.js";
import { bytes, openWorld, put, writeMuch } from "../../../support/world.js";

const key = "svc_test_cut_off";

describe("an interrupted compaction loses nothing", () => {
  /** Starts three verifications. Returns their ids and the folder as a killed process leaves it. */
  const startPhone = async (inUse: string): Promise<{ folder: string; ids: string[] }> => {
    const sandbox = await openOn(inUse);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const reply = await post(sandbox.account(key), "/v1/phone/verify/start", { phone: "08031234567" });
      ids.push(reply.body.id);
    }
    return { folder: copyAsKilled(inUse), ids };
  };
  /** Expects the verifications to be there. Returns the folder as a killed process leaves it. */
  const expectThere = async (inUse: string, ids: readonly string[]): Promise<string> => {
    const sandbox = await openOn(inUse);
    const account = sandbox.account(key);
    for (const id of ids) expect((await account.records.get(id)).state).toBe("pending");
    expect((await account.inbox.list()).length).toBe(ids.length);
    expect((await account.update({})).balance).toBe(1_000_000 - 6 * ids.length);
    expect(sandbox.stderr()).toBe("");
    return copyAsKilled(inUse);
  };

  test("between setting the journal aside and compacting it", async () => {
    const { folder, ids } = await startPhone(freshFolder());
    renameSync(
      accountFile(folder, key, "journal.ndjson"),
      accountFile(folder, key, "journal.folding.ndjson"),
    );
    const later = await startPhone(await expectThere(folder, ids));
    await expectThere(later.folder, [...ids, ...later.ids]);
  });

  test("between writing the new document and deleting the compacted journal", async () => {
    const { folder, ids } = await startPhone(freshFolder());
    const journal = readFileSync(accountFile(folder, key, "journal.ndjson"));
    const { account, close } = openWorld(folder);
    await account(key);
    await close();
    expect(existsSync(accountFile(folder, key, "state.json"))).toBe(true);
    writeFileSync(accountFile(folder, key, "journal.folding.ndjson"), journal);
    await expectThere(folder, ids);
  });

  test("is completed by the next compaction", async () => {
    const { folder, ids } = await startPhone(freshFolder());
    const folding = accountFile(folder, key, "journal.folding.ndjson");
    renameSync(accountFile(folder, key, "journal.ndjson"), folding);
    const { store, account, close } = openWorld(folder);
    const opened = await account(key);
    writeMuch(opened);
    await opened.safe();
    await store.compact();
    expect(existsSync(folding)).toBe(false);
    await close();
    await expectThere(folder, ids);
  });
});

const documentOf = (folder: string) =>
  JSON.parse(readFileSync(accountFile(folder, key, documentFile), "utf8"));

const files = { journals: [foldingFile, journalFile] };

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
