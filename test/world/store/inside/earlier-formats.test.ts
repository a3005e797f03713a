/** Data folders as earlier versions have written them. The files of folder-0.2.json are what version 0.2 had written when it was killed. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { diskCanBeFull, startWithoutRoom } from "../../../support/disk.js";
import { accountFile, filesBelow, freshFolder } from "../../../support/folder.js";
import { type FolderSandbox, openOn } from "../../../support/folder-sandbox.js";
import { call, startPhone } from "../../../support/sandbox.js";
import { copyAsKilled } from "../../../support/stores.js";

const written: Record<string, string> = JSON.parse(
  readFileSync(new URL("folder-0.2.json", import.meta.url), "utf8"),
);

/** Verifications of each account, which all started on a frozen clock. Two accounts have a document, one of them alone. */
const ids: Record<string, string[]> = {
  svc_test_journal: ["phv_x9wpwvsbrdgwnjkfk499", "phv_pepg2ezta0mz4khzcwtw", "phv_jghmcvpj74qd901b5762"],
  svc_test_document: ["phv_sw787b3x9vz2nbr76rbw", "phv_5f69910k8rsf40gvx9nq"],
  svc_test_both: ["phv_zn72ab4b4dbztfm6jmzn", "phv_f9ptmrk1wtb0e47jbq4m", "phv_27hnkp4ezyxpgpbt95ca"],
  svc_test_folding: ["phv_qb741xwh1n6mzr8sx24c", "phv_bee247tj2wrsb5pxsdbc", "phv_jfrwh6zqf4xra1eff7n1"],
  svc_test_damaged: ["phv_9cj0z7nk2hmnnky65ja3", "phv_7xrw2yqjzj2xav3hmcrj", "phv_jvt90hthw99x64q95y4k"],
};
const keys = Object.keys(ids);

/** Returns a copy of the folder, in which one account's journal was being folded. */
function earlierFolder(): string {
  const folder = freshFolder();
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  renameSync(
    accountFile(folder, "svc_test_folding", "journal.ndjson"),
    accountFile(folder, "svc_test_folding", "journal.folding.ndjson"),
  );
  return folder;
}

async function expectAll(sandbox: FolderSandbox, of = keys): Promise<void> {
  for (const key of of) {
    const account = sandbox.account(key);
    for (const id of ids[key] ?? []) expect((await account.records.get(id)).state).toBe("pending");
    expect(await account.inbox.list()).toHaveLength(ids[key]?.length ?? 0);
    expect((await account.update({})).balance).toBe(1_000_000 - 6 * (ids[key]?.length ?? 0));
  }
}

const kept = (folder: string) => join(folder, "accounts-0.2");

test("a folder of version 0.2 is converted, and its accounts are kept as they were", async () => {
  const folder = earlierFolder();
  const before = [...filesBelow(join(folder, "accounts"))].map(([path, text]) => [
    path.replace("/accounts/", "/accounts-0.2/"),
    text,
  ]);
  const sandbox = await openOn(folder);
  expect(sandbox.stderr()).toBe(
    `${folder} is converted to the format of this version; its accounts as they were are kept in ${kept(folder)}\n`,
  );
  await expectAll(sandbox);
  expect([...filesBelow(kept(folder))]).toEqual(before);
  expect(readFileSync(join(folder, "standin.json"), "utf8")).toMatch(/^\{"format":3,"written_by":"/);
  expect(existsSync(join(folder, "due.ndjson"))).toBe(false);
  await startPhone(sandbox.account("svc_test_both"));
  const again = await openOn(copyAsKilled(folder));
  await expectAll(again, keys.slice(0, 2));
  expect(await again.account("svc_test_both").inbox.list()).toHaveLength(4);
  expect(again.stderr()).toBe("");
});

describe("a conversion that is interrupted is completed by the next start:", () => {
  /** Starts on the folder, and expects everything in it. */
  const expectConverted = async (folder: string): Promise<void> => {
    await expectAll(await openOn(folder));
    expect(
      readdirSync(folder)
        .filter((name) => name.startsWith("accounts"))
        .sort(),
    ).toEqual(["accounts", "accounts-0.2"]);
  };
  /** Returns the folder with its converted accounts still beside the others. */
  const halfConverted = async (): Promise<string> => {
    const folder = earlierFolder();
    await (await openOn(folder)).stop();
    renameSync(join(folder, "accounts"), join(folder, "accounts.new"));
    return folder;
  };

  test("before anything of the old folder has changed", async () => {
    const folder = earlierFolder();
    mkdirSync(join(folder, "accounts.new", "acct_begun"), { recursive: true });
    await expectConverted(folder);
  });

  test("before the old accounts are set aside", async () => {
    const folder = await halfConverted();
    renameSync(kept(folder), join(folder, "accounts"));
    await expectConverted(folder);
  });

  test("before the new accounts take their place", async () => {
    await expectConverted(await halfConverted());
  });
});

test("an account that is damaged is reported, refused and left as it is", async () => {
  const folder = earlierFolder();
  const journal = accountFile(folder, "svc_test_damaged", "journal.ndjson");
  writeFileSync(journal, readFileSync(journal, "utf8").replace('"balance":99', '"balance":89'));
  const before = readFileSync(journal);
  const sandbox = await openOn(folder);
  expect(sandbox.stderr()).toMatch(/journal\.ndjson, line \d, is damaged; this account is not converted/);
  const { status, body } = await call(sandbox.account("svc_test_damaged"), "GET", "/v1/balance");
  expect([status, body.error.code]).toEqual([503, "storage_unavailable"]);
  expect(readFileSync(journal).equals(before)).toBe(true);
  await expectAll(
    sandbox,
    keys.filter((key) => key !== "svc_test_damaged"),
  );
});

test.each<[string, (text: string) => string]>([
  ["a record was changed", (text) => text.replace('"balance":99', '"balance":89')],
  ["its checksum was changed", (text) => text.replace(/"sealed": "(\d+) ..../, '"sealed": "$1 0000')],
])("a damaged document is not converted: %s", async (_, damage) => {
  const folder = earlierFolder();
  const document = accountFile(folder, "svc_test_both", "state.json");
  writeFileSync(document, damage(readFileSync(document, "utf8")));
  const sandbox = await openOn(folder);
  expect(sandbox.stderr()).toContain("state.json is damaged; this account is not converted");
  expect((await call(sandbox.account("svc_test_both"), "GET", "/v1/balance")).status).toBe(503);
});

test("a line that was cut off is dropped, and an account without a whole line is new", async () => {
  const folder = earlierFolder();
  const journal = accountFile(folder, "svc_test_journal", "journal.ndjson");
  writeFileSync(journal, readFileSync(journal, "utf8").slice(0, -7));
  writeFileSync(accountFile(folder, "svc_test_damaged", "journal.ndjson"), '[["account","identity",{"li');
  const sandbox = await openOn(folder);
  expect(await sandbox.account("svc_test_journal").inbox.list()).toHaveLength(2);
  expect(await sandbox.account("svc_test_damaged").inbox.list()).toHaveLength(0);
});

test("the first format of data folders, without checksums and versions, is converted too", async () => {
  const folder = earlierFolder();
  writeFileSync(join(folder, "standin.json"), '{"format":1}\n');
  const document = accountFile(folder, "svc_test_both", "state.json");
  writeFileSync(document, readFileSync(document, "utf8").replace(/\n {2}"sealed": .*/, ""));
  for (const key of ["svc_test_both", "svc_test_journal"]) {
    const journal = accountFile(folder, key, "journal.ndjson");
    const lines = readFileSync(journal, "utf8")
      .split("\n")
      .filter((line) => !line.startsWith('["continues"'));
    writeFileSync(journal, lines.map((line) => line.replace(/,"[0-9a-f]{8}"\]$/, "]")).join("\n"));
  }
  await expectAll(await openOn(folder));
});

test.runIf(diskCanBeFull)("a folder that does not fit on the disk twice is left as it was", async () => {
  const folder = earlierFolder();
  const before = filesBelow(join(folder, "accounts"));
  const { status, stderr } = startWithoutRoom(folder, 1_000);
  expect([status, stderr]).toEqual([2, expect.stringContaining("cannot be converted")]);
  expect(stderr).toContain("its accounts are as they were");
  expect(filesBelow(join(folder, "accounts"))).toEqual(before);
  expect(readFileSync(join(folder, "standin.json"), "utf8")).toContain('"format":2');
  await expectAll(await openOn(folder));
});

test("an earlier conversion is never overwritten", async () => {
  const folder = earlierFolder();
  cpSync(join(folder, "accounts"), kept(folder), { recursive: true });
  await expect(openOn(folder)).rejects.toThrow(`${kept(folder)} has the accounts of an earlier conversion`);
  rmSync(kept(folder), { recursive: true });
  await expectAll(await openOn(folder));
});
