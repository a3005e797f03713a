/** A document that was formatted again by hand. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatHead } from "../../../../src/world/store/journal.js";
import { readAccount } from "../../../../src/world/store/read-account.js";
import { State } from "../../../../src/world/store/state.js";
import { freshFolder } from "../../../support/folder.js";
import { documentOf } from "../../../support/state.js";

const size = 5_000;
const inbox = Object.fromEntries(
  Array.from({ length: size }, (_, i) => [
    `msg_${i}`,
    { id: `msg_${i}`, text: "Your code is 123456.".repeat(5) },
  ]),
);
const tables = { account: { identity: {}, settings: {}, wallet: { balance: 1 } }, inbox };
const document = { incarnation: "of_the_account", sequence: 7, ...tables };

const reading = (folder: string, state: State) => ({ folder, reader: state, warn() {}, check() {} });

/** Returns a folder with a journal and this document. */
function folderWith(text: string): string {
  const folder = freshFolder();
  writeFileSync(join(folder, "journal.ndjson"), formatHead(document.incarnation, document.sequence, null));
  writeFileSync(join(folder, "state.json"), text);
  return folder;
}

test.each([
  ["on one line", JSON.stringify(document)],
  ["with four spaces", JSON.stringify(document, null, 4)],
  ["with two spaces", JSON.stringify(document, null, 2)],
])("%s, it is read", async (_, text) => {
  const state = new State();
  await readAccount(reading(folderWith(text), state));
  expect(documentOf(state)).toEqual(tables);
});

test("damage of such a document is reported", async () => {
  await expect(readAccount(reading(folderWith('{"account": {'), new State()))).rejects.toThrow(
    /state\.json is damaged \(.*JSON/,
  );
});

test("one without the place that it holds in the account's history is incomplete", async () => {
  await expect(readAccount(reading(folderWith(JSON.stringify(tables)), new State()))).rejects.toThrow(
    /state\.json was removed or is incomplete \(no incarnation\)/,
  );
});
