import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startSandbox } from "../../../../src/index.js";
import { maxIncompleteBytes } from "../../../../src/server/json-body.js";
import { declaredTotals, partOfHeap, Total } from "../../../../src/world/store/total.js";

test("past a total the oldest go first, and the newest stays however large it is", () => {
  const dropped: string[] = [];
  const total = new Total<string>("things", 10, (item) => dropped.push(item));
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
  const total: Total<string> = new Total("things", 3, (item) => {
    dropped.push(item);
    if (item === "a") total.add("left of a", 1);
  });
  const numbers = ["a", "b", "c", "d"].map((item) => total.add(item, 1));
  expect(dropped).toEqual(["a", "b"]);
  for (const number of numbers) total.release(number);
  expect(total.size).toBe(1);
});

test("docs/deployment.md lists each total with its part of the heap or its bytes", async () => {
  await startSandbox().then((sandbox) => sandbox.close());
  const table = readFileSync("docs/deployment.md", "utf8").split("### What is kept in memory")[1] ?? "";
  const rows = [...table.matchAll(/^\| (.+?) \|.*?\| (.+?) \|/gm)].map(([, what = "", limit = ""]) => [
    what,
    limit,
  ]);
  const listed = new Map(rows.map(([what, limit]) => [what, limit]));
  const limits = new Map([
    [partOfHeap(20), "a twentieth"],
    [partOfHeap(40), "a fortieth"],
    [256 * 1024 * 1024, "256 MB"],
  ]);
  expect(declaredTotals.size).toBeGreaterThan(11);
  for (const [what, limit] of declaredTotals) {
    if (what === "things") continue;
    expect([what, listed.get(what)]).toEqual([what, expect.stringMatching(`^${limits.get(limit)}`)]);
  }
  expect(listed.get("bodies that are arriving")).toContain(
    `${maxIncompleteBytes / 1024 / 1024} MB outside of the heap`,
  );
});
