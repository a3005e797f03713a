import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { accountFile, freshFolder, startOn } from "../../support/folder.js";
import { post } from "../../support/sandbox.js";
import { openWorld, writeMuch } from "../../support/world.js";

const key = "svc_test_cut_off";

describe("an interrupted compaction loses nothing", () => {
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

  test("between setting the journal aside and compacting it", async () => {
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

  test("between writing the new document and deleting the compacted journal", async () => {
    const folder = freshFolder();
    const ids = await startPhone(folder);
    const journal = readFileSync(accountFile(folder, key, "journal.ndjson"));
    const { account, close } = openWorld(folder);
    await account(key);
    await close();
    expect(existsSync(accountFile(folder, key, "state.json"))).toBe(true);
    writeFileSync(accountFile(folder, key, "journal.folding.ndjson"), journal);
    await expectThere(folder, ids);
  });

  test("is completed by the next compaction", async () => {
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
