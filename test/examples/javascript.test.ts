/** The recipes for JavaScript, run as a user runs them who has installed the package and copied them out of it. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, usePackage } from "../support/package.js";

const installed = usePackage();

const whatWasTried = /Coverage of the service: operations 6 of \d+[\s\S]*\n {2}createPayout: failed/;

test.each<[string, RegExp, RegExp]>([
  ["vitest", /Tests +5 passed \(5\)/, whatWasTried],
  ["jest", /Tests: +4 passed, 4 total/, whatWasTried],
  ["supertest", /# tests 6\n/, /# pass 6\n/],
])("npm test passes in examples/%s", async (recipe, passed, told) => {
  const { code, stdout, stderr } = await run(["npm", "test"], installed.copyOf(recipe));
  expect(stdout + stderr).toMatch(passed);
  expect(stdout).toMatch(told);
  expect(code).toBe(0);
});

test("npm test fails in examples/vitest when the shop does not listen to what it is told", async () => {
  const folder = installed.copyOf("vitest", "deaf-shop");
  const shop = readFileSync(join(folder, "shop.ts"), "utf8");
  const told = "this.payouts.set(data.id, data.status);";
  expect(shop).toContain(told);
  writeFileSync(join(folder, "shop.ts"), shop.replace(told, ";"));
  const { code, stdout, stderr } = await run(["npm", "test"], folder);
  expect(stdout + stderr).toMatch(/FAIL +shop\.test\.ts > the shop learns of it by a signed webhook\n/);
  expect(stdout + stderr).toContain("expected 'requested' to be 'rejected'");
  expect(code).toBe(1);
});

const page = readFileSync(join(import.meta.dirname, "../../docs/testing.md"), "utf8");

test("the way from a clone to a rejected payout in docs/testing.md works", async () => {
  const [, script = ""] = /```sh\n(npm ci [^`]*npx standin exec [^`]*)```/.exec(page) ?? [];
  const clone = join(installed.project("from-the-readme"), "standin");
  cpSync(join(installed.installed, "examples"), join(clone, "examples"), { recursive: true });
  // What needs the network is done: the package is installed in the folder above, as npm would link it.
  const offline = script.split("\n").filter((line) => !/^npm (ci|install) /.test(line));
  expect(script.split("\n").length - offline.length).toBe(2);
  const { code, stdout, stderr } = await run(["bash", "-e", "-c", offline.join("\n")], clone);
  expect(stdout.match(/Tests +5 passed \(5\)/g)).toHaveLength(2);
  expect(code).toBe(0);
  const [, coverage = ""] = /```\n(Coverage of the service: [^`]*)```/.exec(page) ?? [];
  const withoutTotals = (text: string) => text.replaceAll(/of \d+/g, "of all");
  expect(withoutTotals(stderr)).toContain(withoutTotals(coverage));
});

test("the test that docs/testing.md shows is one of the recipe", () => {
  const recipe = readFileSync(join(installed.installed, "examples/vitest/shop.test.ts"), "utf8");
  const shown = [...page.matchAll(/```ts\n(test\([^`]*)```/g)].map(([, text]) => text);
  expect(shown).toHaveLength(1);
  for (const text of shown) expect(recipe).toContain(text);
});
