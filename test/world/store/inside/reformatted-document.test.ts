/** A document that was formatted anew by hand is not written by lines, and so has to be parsed in one piece. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAccount } from "../../../../src/world/store/read-account.js";
import { State } from "../../../../src/world/store/state.js";
import { freshFolder } from "../../../support/folder.js";

const size = 5_000;
const inbox = Object.fromEntries(
  Array.from({ length: size }, (_, i) => [
    `msg_${i}`,
    { id: `msg_${i}`, text: "Your code is 123456.".repeat(5) },
  ]),
);
const tables = { account: { identity: {}, settings: {}, wallet: { balance: 1 } }, inbox };

const reading = (folder: string, state: State) => ({
  folder,
  state,
  isSynced: false,
  warn() {},
  check() {},
});

test.each([
  ["on one line", JSON.stringify(tables)],
  ["with four spaces", JSON.stringify(tables, null, 4)],
  ["with two spaces", JSON.stringify(tables, null, 2)],
])("%s, it is read", async (_, text) => {
  const folder = freshFolder();
  writeFileSync(join(folder, "state.json"), text);
  const state = new State();
  await readAccount(reading(folder, state));
  expect(state.document()).toEqual(tables);
});

test("damage of such a document is reported", async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, "state.json"), '{"account": {');
  await expect(readAccount(reading(folder, new State()))).rejects.toThrow(/state\.json is damaged \(.*JSON/);
});
