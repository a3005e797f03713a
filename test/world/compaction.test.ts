import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Account } from "../../src/world/account.js";
import { accountFile, freshFolder, startOn } from "../support/folder.js";
import { post } from "../support/sandbox.js";
import { openWorld } from "../support/world.js";

const key = "svc_test_compacted";
const megabyte = "x".repeat(1024 * 1024);

const put = (account: Account, table: string, id: string, value: unknown) =>
  account.commit("api", () => account.state.put(table, id, value));

/** More than the 4 MB from which a journal is folded, in a state of half a megabyte: records change, come and go. */
function writeMuch(account: Account): void {
  for (let i = 0; i < 6; i++) put(account, "things", "large", `${i}${megabyte}`);
  put(account, "things", "large", "small again");
  for (let i = 0; i < 500; i++) {
    put(account, "things", `t${i}`, { number: i, text: "ünïcode \n and 'quotes\"".repeat(40) });
    if (i % 3 === 0) account.commit("api", () => account.state.delete("things", `t${i / 3}`));
  }
}

const bytes = (account: Account): string => JSON.stringify(account.state.document());

describe("a journal past 4 MB is folded into the document", () => {
  test("and the state after reopening is the state before, to the byte", async () => {
    const folder = freshFolder();
    const first = openWorld(folder);
    const account = await first.account(key);
    writeMuch(account);
    await account.safe();
    const journal = accountFile(folder, key, "journal.ndjson");
    expect(statSync(journal).size).toBeGreaterThan(4 * 1024 * 1024);
    await first.store.compact();
    expect([existsSync(journal), existsSync(accountFile(folder, key, "journal.folding.ndjson"))]).toEqual([
      false,
      false,
    ]);
    expect(JSON.parse(readFileSync(accountFile(folder, key, "state.json"), "utf8")).things.t499.number).toBe(
      499,
    );

    put(account, "things", "later", 1);
    const before = bytes(account);
    await first.close();
    const second = openWorld(folder);
    expect(bytes(await second.account(key))).toBe(before);
    expect([...first.warnings, ...second.warnings]).toEqual([]);
  });

  test("while commits go on, which are safe before it has ended", async () => {
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

  test("while the account leaves memory and comes back", async () => {
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

  test("which a reset empties, whatever was in it", async () => {
    const folder = freshFolder();
    const first = openWorld(folder);
    const account = await first.account(key);
    writeMuch(account);
    await account.safe();
    await first.store.compact();
    account.reset();
    writeMuch(account);
    await account.safe();
    await first.store.compact();
    account.reset();
    const before = bytes(account);
    await first.close();
    const reopened = await openWorld(folder).account(key);
    expect(bytes(reopened)).toBe(before);
    expect(reopened.state.size("things")).toBe(0);
  });
});

describe("a compaction that was cut off loses nothing", () => {
  const startPhone = async (folder: string): Promise<string[]> => {
    const program = await startOn(folder);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const reply = await post(program.account(key), "/v1/phone/verify/start", { phone: "08031234567" });
      ids.push(reply.body.id);
    }
    await program.stop("SIGKILL");
    return ids;
  };
  const expectThere = async (folder: string, ids: readonly string[]): Promise<void> => {
    const program = await startOn(folder);
    const account = program.account(key);
    for (const id of ids) expect((await account.records.get(id)).state).toBe("pending");
    expect((await account.inbox.list()).length).toBe(ids.length);
    expect((await account.update({})).balance).toBe(1_000_000 - 6 * ids.length);
    expect(program.stderr()).toBe("");
    await program.stop("SIGKILL");
  };

  test("between setting the journal aside and folding it", async () => {
    const folder = freshFolder();
    const ids = await startPhone(folder);
    renameSync(
      accountFile(folder, key, "journal.ndjson"),
      accountFile(folder, key, "journal.folding.ndjson"),
    );
    await expectThere(folder, ids);
    ids.push(...(await startPhone(folder)));
    await expectThere(folder, ids);
  });

  test("between the new document and the end of the folded journal", async () => {
    const folder = freshFolder();
    const ids = await startPhone(folder);
    const first = openWorld(folder);
    writeFileSync(
      accountFile(folder, key, "state.json"),
      JSON.stringify((await first.account(key)).state.document()),
    );
    await first.close();
    renameSync(
      accountFile(folder, key, "journal.ndjson"),
      accountFile(folder, key, "journal.folding.ndjson"),
    );
    await expectThere(folder, ids);
  });

  test("is made up for by the next one", async () => {
    const folder = freshFolder();
    const ids = await startPhone(folder);
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
