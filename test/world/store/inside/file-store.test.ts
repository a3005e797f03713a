import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { afterTick } from "../../../../src/time/time.js";
import { FileStore } from "../../../../src/world/store/file-store.js";
import type { Durability } from "../../../../src/world/store/line-file.js";
import { State } from "../../../../src/world/store/state.js";
import { freshFolder } from "../../../support/folder.js";
import { until } from "../../../support/until.js";

const aChecksum = expect.stringMatching(/^[0-9a-f]{8}$/);

const linesOf = (file: string): unknown[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const nextTick = () => new Promise<void>(afterTick);

async function openStore(durability: Durability, folder = freshFolder()) {
  const store = await FileStore.open({
    folder,
    durability,
    version: "0.2.0",
    warn: (message) => expect.unreachable(message),
  });
  onTestFinished(() => store.close());
  return { store, folder };
}

test.each(["process", "power"] as const)(
  "%s: due accounts are in the index, also those added while the index was being written",
  async (durability) => {
    const { store, folder } = await openStore(durability);
    store.noteDue("acct_first", 1);
    await nextTick();
    store.noteDue("acct_second", 2);
    const index = () => linesOf(join(folder, "due.ndjson"));
    await until("both are noted", () => index().length === 2);
    expect(index()).toEqual([
      ["acct_first", 1, aChecksum],
      ["acct_second", 2, aChecksum],
    ]);
  },
);

test.each(["process", "power"] as const)(
  "%s: a line is reported durable only once the index names the account that it makes due",
  async (durability) => {
    const { store, folder } = await openStore(durability);
    const { log } = await store.open("acct_new", new State(), () => {});
    store.noteDue("acct_new", 5);
    log.append([["jobs", "job", '{"due":5,"kind":"k"}']]);
    await new Promise((resolve) => log.whenSafe(resolve));
    expect(linesOf(join(folder, "due.ndjson"))).toEqual([["acct_new", 5, aChecksum]]);
    expect(linesOf(join(folder, "accounts/acct_new/journal.ndjson"))).toEqual([
      [["jobs", "job", { due: 5, kind: "k" }], aChecksum],
    ]);
  },
);

test("lines of one tick are written at once, and become durable in order", async () => {
  const { store } = await openStore("power");
  const { log } = await store.open("acct_order", new State(), () => {});
  const safe: number[] = [];
  for (let i = 0; i < 50; i++) {
    log.append([["things", String(i), "1"]]);
    log.whenSafe((error) => {
      expect(error).toBeNull();
      safe.push(i);
    });
    if (i % 7 === 0) await nextTick();
  }
  await until("all are safe", () => safe.length === 50);
  expect(safe).toEqual(Array.from({ length: 50 }, (_, i) => i));
});

test("a closed folder can be used again, also in the same process", async () => {
  const folder = freshFolder();
  const first = await FileStore.open({ folder, durability: "power", version: "0.2.0", warn: () => {} });
  await expect(openStore("power", folder)).rejects.toThrow(`in use by process ${process.pid}`);
  await first.close();
  await openStore("power", folder);
});
