/** What an idle sandbox gives back to the system. */
import { getHeapStatistics } from "node:v8";
import { expect, test } from "vitest";
import { collectGarbage, isMostlyGarbage } from "../../src/server/returned-memory.js";

const megabyte = 1_000_000;

test("a large heap of few records is garbage, one of many records or accounts is not", () => {
  const few = { accounts: 1, records: 10 };
  expect(isMostlyGarbage(200 * megabyte, few, 0)).toBe(true);
  expect(isMostlyGarbage(70 * megabyte, few, 0)).toBe(false);
  expect(isMostlyGarbage(400 * megabyte, { accounts: 1, records: 150_000 }, 0)).toBe(false);
  expect(isMostlyGarbage(400 * megabyte, { accounts: 5_000, records: 10 }, 0)).toBe(false);
});

test("what a collection has left is not collected again", () => {
  const few = { accounts: 1, records: 10 };
  expect(isMostlyGarbage(300 * megabyte, few, 200 * megabyte)).toBe(false);
  expect(isMostlyGarbage(450 * megabyte, few, 200 * megabyte)).toBe(true);
});

test("a collection frees what nobody refers to", async () => {
  let garbage: object[] | null = Array.from({ length: 1_000_000 }, (_, id) => ({ id, name: `record ${id}` }));
  const before = getHeapStatistics().used_heap_size;
  expect(garbage).toHaveLength(1_000_000);
  garbage = null;
  await collectGarbage();
  expect(before - getHeapStatistics().used_heap_size).toBeGreaterThan(30 * megabyte);
});
