/** A long commit, such as a restored snapshot, is written as several lines over several turns, and remains atomic. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { afterTick } from "../../../src/time/time.js";
import type { Account } from "../../../src/world/account/account.js";
import { accountFile, freshFolder } from "../../support/folder.js";
import { commitLinesOf, journalOf, noteNothingDue } from "../../support/stores.js";
import { bytes, openWorld, put, things } from "../../support/world.js";

const key = "svc_test_long";

/** Puts records of about half a megabyte in one commit. */
const putMany = (account: Account): void =>
  account.commit("api", () => {
    for (let i = 0; i < 1_000; i++) account.state.put(things, `t${i}`, { number: i, text: "ü".repeat(500) });
  });

/** Returns a folder whose journal has a short, a long and a short commit, and the state after each. */
async function filledFolder() {
  const folder = freshFolder();
  const { account, close } = openWorld(folder);
  const opened = await account(key);
  const states: string[] = [];
  const commits = [
    () => put(opened, "things", "first", 1),
    () => putMany(opened),
    () => put(opened, "things", "last", 2),
  ];
  for (const commit of commits) {
    commit();
    await opened.safe();
    states.push(bytes(opened));
  }
  const text = readFileSync(journalOf(folder, key));
  await close();
  return { folder, text, states };
}

test("it has several lines, and the state after reopening is the same to the byte", async () => {
  const { folder, text, states } = await filledFolder();
  const lines = text.toString().trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(5);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(100_000);
  expect(commitLinesOf(lines)).toHaveLength(3);
  expect(bytes(await openWorld(folder).account(key))).toBe(states[2]);
});

test("it is dropped as a whole if truncated, and later commits are kept", async () => {
  const { text, states } = await filledFolder();
  const ends = [...text.toString("latin1").matchAll(/\n/g)].map(({ index }) => index + 1);
  const [first = 0, second = 0, third = 0] = ends;
  // Truncates it after its first line, in the middle of its third, and before its last.
  for (const length of [second, Math.floor((second + third) / 2), ends.at(-3) as number]) {
    const folder = freshFolder();
    const journal = journalOf(folder, key);
    mkdirSync(accountFile(folder, key), { recursive: true });
    writeFileSync(journal, text.subarray(0, length));
    noteNothingDue(folder);
    const cutOff = openWorld(folder);
    const account = await cutOff.account(key);
    expect(bytes(account)).toBe(states[0]);
    expect(cutOff.warnings).toEqual([expect.stringContaining("was cut off while it was written")]);
    expect(readFileSync(journal)).toHaveLength(first);
    put(account, "things", "later", 3);
    await account.safe();
    const before = bytes(account);
    await cutOff.close();
    const again = openWorld(folder);
    expect(bytes(await again.account(key))).toBe(before);
    expect(again.warnings).toEqual([]);
  }
});

test("commits made while it is being written are kept", async () => {
  const folder = freshFolder();
  const { account, close } = openWorld(folder);
  const opened = await account(key);
  let isOver = false;
  putMany(opened);
  const safe = opened.safe()?.then(() => {
    isOver = true;
  });
  for (let i = 0; !isOver; i++) {
    put(opened, "things", `meanwhile${i}`, i);
    await new Promise<void>(afterTick);
  }
  await safe;
  const before = bytes(opened);
  await close();
  expect(bytes(await openWorld(folder).account(key))).toBe(before);
});
