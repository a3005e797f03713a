/** Data folders as earlier versions have written them, and the index of due times beside an account's files. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SandboxAccount } from "../../../../src/index.js";
import { seal } from "../../../../src/world/store/lines.js";
import { accountFile, freshFolder } from "../../../support/folder.js";
import { openOn } from "../../../support/folder-sandbox.js";
import { call, post } from "../../../support/sandbox.js";
import { copyAsKilled, withoutLineChecksum as unsealed } from "../../../support/stores.js";

const key = "svc_test_earlier";

const startPhone = (account: SandboxAccount) =>
  post(account, "/v1/phone/verify/start", { phone: "08031234567" });

const found = async (account: SandboxAccount, ids: readonly string[]): Promise<boolean[]> =>
  Promise.all(ids.map(async (id) => account.records.get(id).then(Boolean, () => false)));

/** Returns a folder as a killed process leaves it, with the ids of its verifications. With `fold`, all but the last are in the document. */
async function killedFolder({ fold }: { fold: boolean }) {
  const inUse = freshFolder();
  const sandbox = await openOn(inUse);
  const start = async () => (await startPhone(sandbox.account(key))).body.id as string;
  const ids = [await start(), await start()];
  if (fold)
    expect((await call(sandbox.account(key), "GET", "/_sandbox/snapshot?fold=true")).status).toBe(200);
  ids.push(await start());
  const folder = copyAsKilled(inUse);
  return {
    folder,
    ids,
    document: accountFile(folder, key, "state.json"),
    journal: accountFile(folder, key, "journal.ndjson"),
  };
}

test("a folder of a version without checksums is read, and continued with checksums", async () => {
  const { folder, ids, journal } = await killedFolder({ fold: false });
  const lines = readFileSync(journal, "utf8").split("\n").map(unsealed);
  writeFileSync(journal, lines.join("\n"));
  const sandbox = await openOn(folder);
  ids.push((await startPhone(sandbox.account(key))).body.id);
  ids.push((await startPhone(sandbox.account(key))).body.id);
  const killed = copyAsKilled(folder);
  const continued = accountFile(killed, key, "journal.ndjson");
  const last = readFileSync(continued, "utf8").trimEnd().split("\n");
  const again = await openOn(copyAsKilled(killed));
  expect(await found(again.account(key), ids)).toEqual(ids.map(() => true));
  expect(again.stderr()).toBe("");
  writeFileSync(continued, `${[...last.slice(0, 3), ...last.slice(4)].join("\n")}\n`);
  const damaged = await openOn(killed);
  expect((await startPhone(damaged.account(key))).status).toBe(503);
  expect(damaged.stderr()).toContain(`${continued}, line 4, is damaged`);
});

test("a truncated last line of due.ndjson does not affect what is written later", async () => {
  const { folder } = await killedFolder({ fold: false });
  appendFileSync(join(folder, "due.ndjson"), '["acct_abcdefgh');
  const late = "svc_test_after_the_cut";
  const sandbox = await openOn(folder);
  await startPhone(sandbox.account(late));
  const lines = readFileSync(join(folder, "due.ndjson"), "utf8").split("\n");
  const id = accountFile("", late).split("/")[1];
  expect(lines.filter((line) => line.startsWith(`["${id}",`))).toHaveLength(1);
});

test("a folder of the format without versions is read, and written in the current one", async () => {
  const { folder, document, journal, ids } = await killedFolder({ fold: true });
  writeFileSync(join(folder, "standin.json"), '{"format":1}\n');
  writeFileSync(document, readFileSync(document, "utf8").replace(/\n {2}"sealed": .*/, ""));
  const lines = readFileSync(journal, "utf8").split("\n").slice(1);
  writeFileSync(
    journal,
    seal(
      lines.slice(0, -1).map((line) => `${unsealed(line)}\n`),
      0,
    ).bytes,
  );
  const killed = await openOn(folder);
  ids.push((await startPhone(killed.account(key))).body.id);
  const copy = copyAsKilled(folder);
  for (let run = 0; run < 3; run++) {
    const sandbox = await openOn(copy);
    expect(await found(sandbox.account(key), ids)).toEqual(ids.map(() => true));
    ids.push((await startPhone(sandbox.account(key))).body.id);
    expect(sandbox.stderr()).toBe("");
    await sandbox.stop();
  }
  expect(readFileSync(join(copy, "standin.json"), "utf8")).toMatch(/^\{"format":2,"written_by":"/);
});
