import { readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emptyAccount } from "../../../src/world/account/replace-state.js";
import { freshFolder } from "../../support/folder.js";
import { documentOf, hasCommits, journalOf } from "../../support/stores.js";
import { bytes, openWorld, put, things, writeMuch } from "../../support/world.js";

const key = "svc_test_compacted";

describe("a journal of more than 4 MB is compacted into the document", () => {
  test("and the state after reopening is the same to the byte", async () => {
    const folder = freshFolder();
    const first = openWorld(folder);
    const account = await first.account(key);
    writeMuch(account);
    await account.safe();
    const journal = journalOf(folder, key);
    expect(statSync(journal).size).toBeGreaterThan(4 * 1024 * 1024);
    await first.store.compact();
    expect(hasCommits(folder, key)).toBe(false);
    expect(JSON.parse(readFileSync(documentOf(folder, key), "utf8")).things.t499.number).toBe(499);

    put(account, "things", "later", 1);
    const before = bytes(account);
    await first.close();
    const second = openWorld(folder);
    expect(bytes(await second.account(key))).toBe(before);
    expect([...first.warnings, ...second.warnings]).toEqual([]);
  });

  test("during further commits, which are durable before it ends", async () => {
    const folder = freshFolder();
    const first = openWorld(folder);
    const account = await first.account(key);
    writeMuch(account);
    await account.safe();
    let folded = false;
    const compaction = first.store.compact().then(() => {
      folded = true;
    });
    for (let i = 0; i < 20; i++) {
      put(account, "things", `meanwhile${i}`, i);
      await account.safe();
    }
    expect(folded).toBe(false);
    await compaction;
    const before = bytes(account);
    await first.close();
    expect(bytes(await openWorld(folder).account(key))).toBe(before);
  });

  test("while the account is evicted and loaded again", async () => {
    const folder = freshFolder();
    const { world, store, account } = openWorld(folder);
    const opened = await account(key);
    writeMuch(opened);
    await opened.safe();
    const before = bytes(opened);
    const compaction = store.compact();
    expect(world.evict(-1)).toBe(1);
    const reopened = await account(key);
    expect(reopened).not.toBe(opened);
    expect(bytes(reopened)).toBe(before);
    await compaction;
  });

  test("which a reset clears, whatever its content", async () => {
    const folder = freshFolder();
    const first = openWorld(folder);
    const account = await first.account(key);
    writeMuch(account);
    await account.safe();
    await first.store.compact();
    emptyAccount(account);
    writeMuch(account);
    await account.safe();
    await first.store.compact();
    emptyAccount(account);
    const before = bytes(account);
    await first.close();
    const reopened = await openWorld(folder).account(key);
    expect(bytes(reopened)).toBe(before);
    expect(reopened.state.size(things)).toBe(0);
  });
});
