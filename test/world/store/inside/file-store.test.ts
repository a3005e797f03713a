import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FileStore } from "../../../../src/world/store/file-store.js";
import type { Durability } from "../../../../src/world/store/sync.js";
import { freshFolder } from "../../../support/folder.js";
import { openAccount } from "../../../support/stores.js";

const aChecksum = expect.stringMatching(/^[0-9a-f]{8}$/);
const anIncarnation = expect.stringMatching(/^[0-9a-f]{16}$/);

const linesOf = (file: string): unknown[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

async function openStore(durability: Durability, folder = freshFolder()) {
  const store = await FileStore.open({
    folder,
    durability,
    version: "0.3.0",
    warn: (message) => expect.unreachable(message),
  });
  onTestFinished(() => store.close());
  return { store, folder };
}

test.each(["process", "power"] as const)(
  "%s: a line has its sequence, the time at which the account is due, its changes and a checksum; the first names the incarnation",
  async (durability) => {
    const { store, folder } = await openStore(durability);
    const { commit, safe } = await openAccount(store, "acct_new");
    const job = ["jobs", "job", '{"due":5,"kind":"k"}'] as const;
    commit(job);
    store.noteDue("acct_new", 5);
    await safe();
    commit(job);
    await safe();
    const change = ["jobs", "job", { due: 5, kind: "k" }];
    expect(linesOf(join(folder, "accounts/acct_new/journal.ndjson"))).toEqual([
      [1, 5, [["*", anIncarnation, null], change], aChecksum],
      [2, 5, [change], aChecksum],
    ]);
  },
);

test("when an account is due is what the last line says that is whole, or else at once", async () => {
  const { store, folder } = await openStore("process");
  const journals = {
    acct_due: '[1,3,[],"00000000"]\n[2,7,[],"00000000"]\n',
    acct_idle: '[1,3,[],"00000000"]\n[2,null,[],"00000000"]\n',
    acct_folded: '[9,4,"incarnation","00000000"]\n',
    acct_cut_off: '[1,null,[],"00000000"]\n[2,null,[["th',
    acct_continued: '[1,null,[],"00000000"]\n[2,null,["+",["things","a",1]],"00000000"]\n',
    acct_long: `[1,null,[["things","a","${"x".repeat(200_000)}"]],"00000000"]\n`,
    acct_empty: "",
    acct_nonsense: "nonsense\n",
  };
  for (const [id, text] of Object.entries(journals)) {
    mkdirSync(join(folder, "accounts", id));
    writeFileSync(join(folder, "accounts", id, "journal.ndjson"), text);
  }
  mkdirSync(join(folder, "accounts", "acct_nothing"));
  expect(Object.fromEntries(await store.dueAccounts())).toEqual({
    acct_due: 7,
    acct_folded: 4,
    acct_cut_off: 0,
    acct_continued: 0,
    acct_long: 0,
    acct_empty: 0,
    acct_nonsense: 0,
  });
});
