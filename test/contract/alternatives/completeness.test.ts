import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.js";
import { assumptions, assumptionsOf, resolveAssumptions } from "../../../src/service/assumptions.js";
import { operations } from "./asking.js";
import { ServedContract } from "./served-contract.js";

const pairs = assumptions.flatMap(({ id, switch: choice }) =>
  Object.keys(choice?.alternatives ?? {}).map((value) => [id, value] as const),
);

test("each alternative of the catalogue has a sandbox in one test file of this folder", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
  const used = files.flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), "utf8");
    return [...text.matchAll(/useAlternative\("([\w.]+)", "(\w+)"\)/g)].map(
      ([, id, value]) => `${id}=${value}`,
    );
  });
  expect(used.sort()).toEqual(pairs.map(([id, value]) => `${id}=${value}`).sort());
});

test("every assumption that can be switched applies to an operation", () => {
  const shaping = new Set(operations.flatMap((operation) => [...assumptionsOf(operation)]));
  expect(pairs.map(([id]) => id).filter((id) => !shaping.has(id))).toEqual([]);
});

test.each(pairs)("a sandbox created with %s=%s reports that value", async (id, value) => {
  const sandbox = await createSandbox({ assumptions: { [id]: value } });
  const { items } = await sandbox
    .account()
    .control<{ items: { id: string; value: string | null; alternatives: object }[] }>("GET", "/assumptions");
  const row = items.find((item) => item.id === id);
  const meaning = assumptions.find((item) => item.id === id)?.switch?.alternatives;
  expect(row).toMatchObject({ value, alternatives: meaning });
  const inForce = { ...resolveAssumptions(), [id]: value };
  expect(Object.fromEntries(items.map((item) => [item.id, item.value ?? undefined]))).toMatchObject(inForce);
  const { document } = await ServedContract.of(sandbox.account());
  expect(document.info["x-assumptions"]).toEqual(inForce);
  await sandbox.close();
});
