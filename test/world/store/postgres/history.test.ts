import { expect, test } from "vitest";
import { placesOf, violations } from "../../../support/history.js";

const order = ["start", "payout", "start"];
const write = (place: number, began: number, ended: number) => ({ from: place, to: place, began, ended });
const read = (kind: string, count: number, began: number, ended: number) => ({
  ...placesOf({ kind, count }, order),
  began,
  ended,
});

test("a history is accepted if every read can have seen the writes before it", () => {
  expect(
    violations([
      write(1, 0, 10),
      write(2, 5, 30),
      // It overlaps the second write, and may be before or after it.
      read("payout", 0, 11, 12),
      read("start", 1, 13, 40),
      read("payout", 1, 31, 32),
      write(3, 33, 50),
    ]),
  ).toEqual([]);
});

test("a history is refused if a read misses what had ended before it, or saw what had not begun", () => {
  expect(violations([write(1, 0, 10), read("start", 0, 11, 12)])).toHaveLength(1);
  expect(violations([read("start", 2, 0, 10), read("start", 1, 11, 12)])).toHaveLength(1);
  // The first start is only after the payout if the second one is counted.
  expect(violations([read("payout", 1, 0, 10), write(1, 11, 12)])).toHaveLength(1);
  expect(violations([read("start", 1, 0, 10), write(1, 11, 12)])).toHaveLength(1);
  expect(violations([write(3, 0, 10), write(2, 11, 12)])).toHaveLength(1);
});

test("a read of more records than there are is refused", () => {
  expect(violations([read("start", 3, 0, 10)])).toHaveLength(1);
});
