import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openDocument } from "../../../../src/world/store/document.js";
import { accountFile, freshFolder } from "../../../support/folder.js";
import { openOn } from "../../../support/folder-sandbox.js";
import { startPhone } from "../../../support/sandbox.js";
import { copyAsKilled, documentOf, hasCommits, journalOf } from "../../../support/stores.js";
import { bytes, openWorld, put, writeMuch } from "../../../support/world.js";

const key = "svc_test_cut_off";

describe("an interrupted compaction loses nothing", () => {
  /** Starts three verifications. Returns their ids and the folder as a killed process leaves it. */
  const startThree = async (inUse: string): Promise<{ folder: string; ids: string[] }> => {
    const sandbox = await openOn(inUse);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await startPhone(sandbox.account(key))).body.id);
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
  /** Returns the folder as it is if the process ends between the new document and the journal that continues it. */
  const uncut = async (folder: string): Promise<string> => {
    const journal = journalOf(folder, key);
    const before = readFileSync(journal);
    const { account, close } = openWorld(folder);
    await account(key);
    await close();
    expect(hasCommits(folder, key)).toBe(false);
    writeFileSync(journal, before);
    return folder;
  };

  test("between writing the new document and cutting the journal", async () => {
    const { folder, ids } = await startThree(freshFolder());
    const later = await startThree(await expectThere(await uncut(folder), ids));
    const all = [...ids, ...later.ids];
    await expectThere(await uncut(await expectThere(later.folder, all)), all);
  });

  test("is completed by the next compaction", async () => {
    const { folder, ids } = await startThree(freshFolder());
    await uncut(folder);
    const { store, account, close } = openWorld(folder);
    const opened = await account(key);
    writeMuch(opened);
    await opened.safe();
    await store.compact();
    expect(hasCommits(folder, key)).toBe(false);
    await close();
    await expectThere(folder, ids);
  });

  test("and a journal that a power failure left shorter than the document is begun again", async () => {
    const { folder, ids } = await startThree(freshFolder());
    const [first] = readFileSync(journalOf(folder, key), "utf8").split("\n");
    await uncut(folder);
    writeFileSync(journalOf(folder, key), `${first}\n`);
    const later = await startThree(await expectThere(folder, ids));
    await expectThere(later.folder, [...ids, ...later.ids]);
  });
});

test("a document that cannot be completed leaves the one before unchanged", async () => {
  const folder = freshFolder();
  const { account, close } = openWorld(folder);
  const opened = await account(key);
  for (let i = 0; i < 20; i++) put(opened, "things", `t${i}`, { text: "x".repeat(100_000) });
  await opened.safe();
  const before = bytes(opened);
  await close();
  const path = documentOf(folder, key);
  const copy = accountFile(folder, key, "copy.json");
  copyFileSync(path, copy);
  for (let chunks = 0; ; chunks++) {
    let left = chunks;
    const database = openDocument(path, () => {
      if (left-- === 0) throw new Error("out of time");
    });
    await database.read();
    database.data.tables.delete("things");
    for (let i = 0; i < 10; i++)
      database.data.tables.set(`things${i}`, new Map([["one", JSON.stringify("y".repeat(100_000))]]));
    const isWritten = await database.write().then(
      () => true,
      () => false,
    );
    if (isWritten) break;
    expect(readFileSync(path).equals(readFileSync(copy))).toBe(true);
    expect(existsSync(`${path}.new`)).toBe(false);
  }
  copyFileSync(copy, path);
  expect(bytes(await openWorld(folder).account(key))).toBe(before);
});
