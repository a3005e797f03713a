import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SandboxAccount, startSandbox } from "../../../src/index.js";
import { accountFile, freshFolder } from "../../support/folder.js";
import { openOn } from "../../support/folder-sandbox.js";
import { temporaryFolder } from "../../support/program.js";
import { call, startPhone } from "../../support/sandbox.js";
import {
  copyAsKilled,
  documentOf,
  journalOf,
  laterJournal,
  readStored,
  sealedDocument,
  withoutChecksum,
  withoutLineChecksum,
} from "../../support/stores.js";

const key = "svc_test_damaged";
const other = "svc_test_sound";

const filled = temporaryFolder();
const filledIds: string[] = [];

/** Fills a folder with three verifications on each of two accounts, whose journals are as a killed process leaves them. */
beforeAll(async () => {
  const inUse = temporaryFolder();
  const sandbox = await startSandbox({ data: inUse });
  for (let i = 0; i < 3; i++) {
    filledIds.push((await startPhone(sandbox.account({ key }))).body.id);
    await startPhone(sandbox.account({ key: other }));
  }
  copyAsKilled(inUse, filled);
  await sandbox.close();
  rmSync(inUse, { recursive: true });
});
afterAll(() => rmSync(filled, { recursive: true, force: true }));

/** Returns a copy of the filled folder. */
function filledFolder(): { folder: string; ids: string[]; journal: string } {
  const folder = freshFolder();
  cpSync(filled, folder, { recursive: true });
  return { folder, ids: [...filledIds], journal: journalOf(folder, key) };
}

const found = async (account: SandboxAccount, ids: readonly string[]): Promise<boolean[]> =>
  Promise.all(ids.map(async (id) => account.records.get(id).then(Boolean, () => false)));

/**
 * Expects the account's requests to be refused with the file's name, the operator to be told once where the damage is, the
 * other account to work, and the file to be unchanged.
 */
async function expectReported(folder: string, file: string, says: readonly string[]): Promise<void> {
  const before = readFileSync(file);
  const sandbox = await openOn(folder);
  for (const reply of [
    await startPhone(sandbox.account(key)),
    await call(sandbox.account(key), "GET", "/v1/balance"),
  ]) {
    expect([reply.status, reply.body.error.code]).toEqual([503, "storage_unavailable"]);
    expect(reply.body.error.message).toContain(basename(file));
    expect(reply.body.error.message).toContain("move this account's folder away");
    expect(JSON.stringify(reply.body)).not.toContain(folder);
  }
  for (const text of says) expect(sandbox.stderr().split(text)).toHaveLength(2);
  expect((await startPhone(sandbox.account(other))).status).toBe(201);
  await sandbox.stop();
  expect(readFileSync(file).equals(before)).toBe(true);
}

describe("a truncated last line", () => {
  test("is dropped with a warning, and everything before it is kept", async () => {
    const { folder, ids, journal } = filledFolder();
    const { length } = readFileSync(journal);
    truncateSync(journal, length - 7);
    const sandbox = await openOn(folder);
    const account = sandbox.account(key);
    expect(await found(account, ids)).toEqual([true, true, false]);
    expect(sandbox.stderr()).toBe(`${journal}, line 3, was cut off while it was written and is dropped\n`);

    const { id } = (await startPhone(account)).body;
    const again = await openOn(copyAsKilled(folder));
    expect(await found(again.account(key), [...ids.slice(0, 2), id])).toEqual([true, true, true]);
    expect(again.stderr()).toBe("");
  });

  test("leaves a new account of the right mode if it was the only line", async () => {
    const live = "svc_live_cut_off";
    const folder = freshFolder();
    mkdirSync(accountFile(folder, live), { recursive: true });
    appendFileSync(journalOf(folder, live), '[["account","identity",{"li');
    const sandbox = await openOn(folder);
    const { status, body } = await startPhone(sandbox.account(live));
    expect([status, body.is_test]).toEqual([201, false]);
  });

  test("a process that ended before it wrote an account's first line leaves a new account", async () => {
    const folder = freshFolder();
    mkdirSync(accountFile(folder, key), { recursive: true });
    const sandbox = await openOn(folder);
    expect((await startPhone(sandbox.account(key))).status).toBe(201);
  });
});

describe("damage before the last line is reported and left unchanged", () => {
  test("in the journal, with its file and line", async () => {
    const { folder, journal } = filledFolder();
    const lines = readFileSync(journal, "utf8").split("\n");
    lines[1] = lines[1]?.replace('"pending"', '"pending') ?? "";
    writeFileSync(journal, lines.join("\n"));
    await expectReported(folder, journal, [`${journal}, line 2, is damaged`]);
  });

  test.each<[string, (lines: string[]) => string[]]>([
    ["the first line was removed", (lines) => lines.slice(1)],
    ["a line in the middle was removed", ([first = "", , ...rest]) => [first, ...rest]],
    ["a line is duplicated", ([first = "", ...rest]) => [first, first, ...rest]],
    [
      "a digit was changed",
      ([first = "", ...rest]) => [first.replace('"balance":99', '"balance":89'), ...rest],
    ],
    [
      "a digit of the last line was changed",
      ([first = "", second = "", last = ""]) => [first, second, last.replace('"balance":99', '"balance":89')],
    ],
    [
      "a checksum was removed",
      ([first = "", second = "", last = ""]) => [first, withoutLineChecksum(second), last],
    ],
  ])("in a journal that is still valid JSON: %s", async (_what, change) => {
    const { folder, journal } = filledFolder();
    const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    const changed = change(lines);
    expect(changed).not.toEqual(lines);
    writeFileSync(journal, `${changed.join("\n")}\n`);
    await expectReported(folder, journal, [`${journal}, line `, "is damaged: ", "checksum"]);
  });

  test("in the document, with its file", async () => {
    const { folder } = filledFolder();
    const document = documentOf(folder, key);
    writeFileSync(document, '{"account":');
    await expectReported(folder, document, [`${document} is damaged (`, " JSON"]);
  });

  test.each(["null", "[]", '{"account":7}'])("in a document that is %s", async (text) => {
    const { folder } = filledFolder();
    const document = documentOf(folder, key);
    writeFileSync(document, text);
    await expectReported(folder, document, [`${document} is damaged`]);
  });
});

/** Returns a folder with a document and, in the journal, commits since, as a killed process leaves it. */
async function foldedFolder(): Promise<{ folder: string; document: string; journal: string; ids: string[] }> {
  const inUse = freshFolder();
  const sandbox = await openOn(inUse);
  const ids = [(await startPhone(sandbox.account(key))).body.id];
  expect((await call(sandbox.account(key), "GET", "/_sandbox/snapshot?fold=true")).status).toBe(200);
  ids.push((await startPhone(sandbox.account(key))).body.id);
  const folder = copyAsKilled(inUse);
  return {
    folder,
    document: documentOf(folder, key),
    journal: journalOf(folder, key),
    ids,
  };
}

describe("a document and a journal that do not belong together as they were written are reported:", () => {
  test("a bit of the document is flipped, in any of its bytes", async () => {
    const { folder, document } = await foldedFolder();
    const bytes = readFileSync(document);
    for (let at = 0; at < bytes.length; at++) {
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      writeFileSync(document, bytes);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      await expect(readStored(folder, key), `byte ${at}`).rejects.toThrow("state.json is damaged");
    }
    bytes[bytes.indexOf('"balance":')] = 0x23;
    writeFileSync(document, bytes);
    await expectReported(folder, document, [`${document} is damaged`]);
  });

  test("a record of the document is removed", async () => {
    const { folder, document } = await foldedFolder();
    const lines = readFileSync(document, "utf8").split("\n");
    const left = lines.filter((line) => !line.includes('"phv_'));
    expect(left.length).toBeLessThan(lines.length);
    writeFileSync(document, left.join("\n"));
    await expectReported(folder, document, [
      `${document} is damaged (it was changed; if that was on purpose`,
    ]);
  });

  test.each(["killed", "stopped"])("the journal of a process that was %s is removed", async (how) => {
    const { folder, document, journal } = await foldedFolder();
    if (how === "stopped") {
      const sandbox = await openOn(folder);
      await startPhone(sandbox.account(key));
      await sandbox.stop();
    }
    rmSync(journal);
    const sandbox = await openOn(folder);
    const { status, body } = await startPhone(sandbox.account(key));
    expect([status, body.error.code]).toEqual([503, "storage_unavailable"]);
    expect(body.error.message).toContain("journal.ndjson of this account was removed");
    expect(readFileSync(document, "utf8")).toMatch(sealedDocument);
  });

  test("the journal is empty", async () => {
    const { folder, journal } = await foldedFolder();
    truncateSync(journal);
    await expectReported(folder, journal, [`${journal}, line 1, was removed`]);
  });

  test("the document is an earlier one", async () => {
    const { folder, document, journal } = await foldedFolder();
    const earlier = readFileSync(document);
    const sandbox = await openOn(folder);
    await startPhone(sandbox.account(key));
    await sandbox.stop();
    writeFileSync(document, earlier);
    await expectReported(folder, journal, [laterJournal(journal)]);
  });
});

describe("a document is edited by hand", () => {
  const edited = async (edit: (text: string) => string) => {
    const { folder, document, ids } = await foldedFolder();
    const sandbox = await openOn(folder);
    await startPhone(sandbox.account(key));
    await sandbox.stop();
    writeFileSync(document, edit(withoutChecksum(readFileSync(document, "utf8"))));
    return { folder, document, ids };
  };

  const writtenAnew = (text: string, indentation?: string | number): string => {
    const tables = JSON.parse(text);
    tables.account.wallet.balance = 420_000;
    return JSON.stringify(tables, null, indentation);
  };

  test.each<[string, (text: string) => string]>([
    ["in place", (text) => text.replace('"balance":999982', '"balance": 4200')],
    ["and written anew with tabs", (text) => writtenAnew(text, "\t")],
    ["and written anew with four spaces", (text) => writtenAnew(text, 4)],
    ["and written anew on one line", (text) => writtenAnew(text)],
    [
      "with an editor that puts a byte order mark",
      (text) => `\ufeff${text.replace('"balance":999982', '"balance": 4200')}`,
    ],
  ])("%s: without its checksum it counts, and the next document has one again", async (_how, edit) => {
    const { folder, document, ids } = await edited(edit);
    const sandbox = await openOn(folder);
    expect((await sandbox.account(key).update({})).balance).toBe(4200);
    expect(await found(sandbox.account(key), ids)).toEqual([true, true]);
    await startPhone(sandbox.account(key));
    await sandbox.stop();
    expect(readFileSync(document, "utf8")).toMatch(sealedDocument);
    const again = await openOn(folder);
    expect((await again.account(key).update({})).balance).toBe(4194);
    expect(again.stderr()).toBe("");
  });

  test("a value with spaces is found by its field", async () => {
    const { folder } = await edited((text) => text.replaceAll('"to":"', '"to" : "'));
    const inbox = (await openOn(folder)).account(key).inbox;
    expect(await inbox.list({ to: "+2348031234567" })).toHaveLength(3);
  });
});

/** Expects the account to be refused because of its document, and the operator to be told where that is. */
async function expectIncomplete(folder: string): Promise<void> {
  const document = documentOf(folder, key);
  const sandbox = await openOn(folder);
  for (const path of ["/v1/balance", "/_sandbox/account"]) {
    const { status, body } = await call(sandbox.account(key), "GET", path);
    expect([status, body.error.code], body.error.message).toEqual([503, "storage_unavailable"]);
    expect(body.error.message).toMatch(
      /^state\.json of this account was removed or is incomplete; repair it/,
    );
  }
  expect(sandbox.stderr()).toContain(`${document} was removed or is incomplete`);
  expect((await startPhone(sandbox.account(other))).status).toBe(201);
}

test("a document that was removed, with the commits since still in the journal, is reported", async () => {
  const folder = freshFolder();
  const inUse = freshFolder();
  const sandbox = await openOn(inUse);
  await startPhone(sandbox.account(key));
  await call(sandbox.account(key), "GET", "/_sandbox/snapshot?fold=true");
  await startPhone(sandbox.account(key));
  copyAsKilled(inUse, folder);
  rmSync(documentOf(folder, key));
  await expectIncomplete(folder);
});

test.each([
  "{}",
  '{"account":{}}',
  '{"account":{"identity":null}}',
  '{"account":{"identity":{"live":false}}}',
  '{"phone_verification":{}}',
  '{"account":{"identity":{},"settings":{},"wallet":{"balance":1}}}',
])("a document that is %s is reported as incomplete", async (text) => {
  const { folder, journal } = filledFolder();
  rmSync(journal);
  writeFileSync(documentOf(folder, key), text);
  await expectIncomplete(folder);
});

test.each(["null", "7", "[]", "{}", '{"id":"req_1"}'])(
  "a line of the request log that is %s is skipped",
  async (line) => {
    const { folder } = filledFolder();
    appendFileSync(accountFile(folder, key, "requests.ndjson"), `\n${line}\n`);
    const sandbox = await openOn(folder);
    const account = sandbox.account(key);
    await startPhone(account);
    const { status, body } = await call(account, "GET", "/_sandbox/requests");
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.items[0].path).toBe("/v1/phone/verify/start");
  },
);

test("a journal that cannot be read is reported with its folder", async () => {
  const folder = freshFolder();
  mkdirSync(journalOf(folder, key), { recursive: true });
  const sandbox = await openOn(folder);
  const { status, body } = await startPhone(sandbox.account(key));
  expect([status, body.error.code]).toEqual([503, "storage_unavailable"]);
  expect(body.error.message).toBe("the folder of this account cannot be read.");
  expect(sandbox.stderr()).toContain(accountFile(folder, key));
});
