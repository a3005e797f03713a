/**
 * An account may be larger than the longest string and the largest buffer, so that no step of reading, writing and
 * compacting its files may hold more than a piece of it. The account here is many times as large as a piece.
 */
import { statSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { documentFile, foldingFile, journalFile } from "../../../../src/world/store/account-files.js";
import { isJustBegun } from "../../../../src/world/store/journal.js";
import { foldFiles } from "../../../../src/world/store/journal-folds.js";
import { accountFile, freshFolder } from "../../../support/folder.js";
import { repetitions } from "../../../support/repetitions.js";
import { openWorld, things } from "../../../support/world.js";

const key = "svc_test_large";
const files = { journals: [foldingFile, journalFile] };
const records = repetitions(1_000, 4_000);
const text = "x".repeat(20_000);
/** Limit of the length of a string or a buffer. Document and journal have at least 20 MB each. */
const maxPiece = 2 * 1024 * 1024;

/** Measures the longest string and buffer that are made until the end of the test. */
function watchPieces(): () => number {
  const { parse, stringify } = JSON;
  const { from, concat, allocUnsafe } = Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: stands in for functions with many overloads
  const { toString: decode }: any = Buffer.prototype;
  let longest = 0;
  const measured =
    <A extends unknown[], R>(of: (...args: A) => R) =>
    (...args: A): R => {
      const made = of(...args);
      longest = Math.max(longest, Number((made as { length?: number } | undefined)?.length ?? 0));
      return made;
    };
  Object.assign(JSON, {
    parse: (json: string) => {
      longest = Math.max(longest, json.length);
      return parse(json);
    },
    stringify: measured(stringify),
  });
  Object.assign(Buffer, {
    from: measured(from),
    concat: measured(concat),
    allocUnsafe: measured(allocUnsafe),
  });
  Buffer.prototype.toString = function (...args: unknown[]) {
    return measured(() => decode.apply(this, args) as string)();
  };
  onTestFinished(() => {
    Object.assign(JSON, { parse, stringify });
    Object.assign(Buffer, { from, concat, allocUnsafe });
    Buffer.prototype.toString = decode;
  });
  return () => longest;
}

test("a large account is written, compacted, read and compacted again piece by piece", async () => {
  const folder = freshFolder();
  const longest = watchPieces();
  const first = openWorld(folder);
  const account = await first.account(key);
  account.commit("api", () => {
    for (let i = 0; i < records; i++) account.state.put(things, `t${i}`, { text, i });
  });
  await account.safe();
  await first.close();
  await foldFiles(accountFile(folder, key), files);
  expect(isJustBegun(accountFile(folder, key, journalFile))).toBe(true);
  expect(statSync(accountFile(folder, key, documentFile)).size).toBeGreaterThan(records * text.length);

  const second = openWorld(folder);
  const again = await second.account(key);
  expect([again.state.size(things), again.state.get(things, `t${records - 1}`)]).toEqual([
    records,
    { text, i: records - 1 },
  ]);
  again.commit("api", () => again.state.put(things, "t0", { text: "changed" }));
  await again.safe();
  await second.close();
  await foldFiles(accountFile(folder, key), files);
  expect(longest()).toBeLessThan(maxPiece);
});
