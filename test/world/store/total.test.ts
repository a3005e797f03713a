import { expect, test } from "vitest";
import { type Counted, Total } from "../../../src/world/store/total.js";

test("past a total the oldest go first, and the newest stays however large it is", () => {
  const dropped: string[] = [];
  const total = new Total<string>(10, (item) => dropped.push(item));
  const released = total.add("released", 4);
  for (const item of ["second", "third"]) total.add(item, 3);
  total.release(released);
  total.release(released);
  expect(total.size).toBe(6);
  total.add("fourth", 6);
  expect(dropped).toEqual(["second"]);
  total.add("huge", 50);
  expect(dropped).toEqual(["second", "third", "fourth"]);
  expect(total.size).toBe(50);
});

test("a thing that adds to its total while it is dropped does not disturb the order", () => {
  const dropped: string[] = [];
  const total: Total<string> = new Total(3, (item) => {
    dropped.push(item);
    if (item === "a") total.add("left of a", 1);
  });
  const shares: Counted<string>[] = ["a", "b", "c", "d"].map((item) => total.add(item, 1));
  expect(dropped).toEqual(["a", "b"]);
  for (const share of shares) total.release(share);
  expect(total.size).toBe(1);
});
