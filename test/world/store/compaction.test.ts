import { readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emptyAccount } from "../../../src/world/account/replace-state.js";
import { freshFolder } from "../../support/folder.js";
import { documentOf, hasCommits, journalOf } from "../../support/stores.js";
import { bytes, openWorld, put, things, writeMuch } from "../../support/world.js";

const key = "svc_test_compacted";

/** Returns a world on a new folder with an account whose journal is long enough to be compacted. */
async function worldWithLongJournal() {
  const folder = freshFolder();
  const world = openWorld(folder);
  const account = await world.account(key);
  writeMuch(account);
  await account.safe();
  return { folder, ...world, opened: account };
}

/** Returns the bytes of the account in the next world on the folder, which reports nothing. */
async function bytesAgain(folder: string): Promise<string> {
  const { account, warnings } = openWorld(folder);
  const again = bytes(await account(key));
  expect(warnings).toEqual([]);
  return again;
}

describe("a journal of more than 4 MB is compacted into the document", () => {
  test("and the state after reopening is the same to the byte", async () => {
    const { folder, store, opened, warnings, close } = await worldWithLongJournal();
    expect(statSync(journalOf(folder, key)).size).toBeGreaterThan(4 * 1024 * 1024);
    await store.compact();
    expect(hasCommits(folder, key)).toBe(false);
    expect(JSON.parse(readFileSync(documentOf(folder, key), "utf8")).things.t499.number).toBe(499);
    put(opened, "things", "later", 1);
    const before = bytes(opened);
    await close();
    expect(warnings).toEqual([]);
    expect(await bytesAgain(folder)).toBe(before);
  });

  test("during further commits, which are durable before it ends", async () => {
    const { folder, store, opened, close } = await worldWithLongJournal();
    let folded = false;
    const compaction = store.compact().then(() => {
      folded = true;
    });
    for (let i = 0; i < 20; i++) {
      put(opened, "things", `meanwhile${i}`, i);
      await opened.safe();
    }
    expect(folded).toBe(false);
    await compaction;
    const before = bytes(opened);
    await close();
    expect(await bytesAgain(folder)).toBe(before);
  });

  test("while the account is evicted and loaded again", async () => {
    const { world, store, account, opened } = await worldWithLongJournal();
    const before = bytes(opened);
    const compaction = store.compact();
    expect(world.evict(-1)).toBe(1);
    const reopened = await account(key);
    expect(reopened).not.toBe(opened);
    expect(bytes(reopened)).toBe(before);
    await compaction;
  });

  test("which a reset clears, whatever its content", async () => {
    const { folder, store, opened, close } = await worldWithLongJournal();
    await store.compact();
    emptyAccount(opened);
    writeMuch(opened);
    await opened.safe();
    await store.compact();
    emptyAccount(opened);
    expect(opened.state.size(things)).toBe(0);
    const before = bytes(opened);
    await close();
    expect(await bytesAgain(folder)).toBe(before);
  });
});
