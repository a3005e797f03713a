/** The JavaScript recipes in examples/, copied from the installed package and run. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, usePackage } from "../support/package.js";
import { isLong } from "../support/repetitions.js";

const installed = usePackage();

const coverageSummary = /Coverage of the service: operations 6 of \d+[\s\S]*\n {2}createPayout: failed/;

/** The recipe for Vitest runs below, as docs/testing.md says; .ci/judges runs the recipe for Jest. */
test.runIf(isLong)("npm test passes in examples/supertest", async () => {
  const { code, stdout } = await run(["npm", "test"], installed.copyOf("supertest"));
  // Node's runner writes "# pass 6" up to Node 22, and "ℹ pass 6" from 24. app.test.ts uses a sandbox in the same ways.
  expect(stdout).toMatch(/[#ℹ] tests 6\n/);
  expect(stdout).toMatch(/[#ℹ] pass 6\n/);
  expect(code).toBe(0);
});

test("a test fails in examples/vitest if the shop ignores webhooks", async () => {
  const folder = installed.copyOf("vitest", "deaf-shop");
  const shop = readFileSync(join(folder, "shop.ts"), "utf8");
  const update = "this.payouts.set(data.id, data.status);";
  expect(shop).toContain(update);
  writeFileSync(join(folder, "shop.ts"), shop.replace(update, ";"));
  const { code, stdout, stderr } = await run(["npx", "vitest", "run", "-t", "signed webhook"], folder);
  expect(stdout + stderr).toMatch(/FAIL +shop\.test\.ts > the shop learns of it by a signed webhook\n/);
  expect(stdout + stderr).toContain("expected 'requested' to be 'rejected'");
  expect(code).toBe(1);
});

const page = readFileSync(join(import.meta.dirname, "../../docs/testing.md"), "utf8");

test("the commands in docs/testing.md lead from a clone to a rejected payout", async () => {
  const [, script = ""] = /```sh\n(npm ci [^`]*npx standin exec [^`]*)```/.exec(page) ?? [];
  const clone = join(installed.project("from-the-readme"), "standin");
  cpSync(join(installed.installed, "examples"), join(clone, "examples"), { recursive: true });
  // Without the lines that need the network: the package is already installed in the parent folder.
  const offline = script.split("\n").filter((line) => !/^npm (ci|install) /.test(line));
  expect(script.split("\n").length - offline.length).toBe(2);
  // init.long.test.ts runs such tests with standin exec, too.
  const lines = isLong ? offline : offline.filter((line) => !line.startsWith("npx standin exec "));
  const { code, stdout, stderr } = await run(["bash", "-e", "-c", lines.join("\n")], clone);
  expect(stdout.match(/Tests +5 passed \(5\)/g), stdout + stderr).toHaveLength(isLong ? 2 : 1);
  expect(stdout).toMatch(coverageSummary);
  expect(code).toBe(0);
  const [, coverage = ""] = /```\n(Coverage of the service: [^`]*)```/.exec(page) ?? [];
  const withoutTotals = (text: string) => text.replaceAll(/of \d+/g, "of all");
  // The recipe prints the coverage of its own sandbox on stdout, and standin exec prints it on stderr.
  for (const text of isLong ? [stdout, stderr] : [stdout])
    expect(withoutTotals(text)).toContain(withoutTotals(coverage));
});

test("the test that docs/testing.md shows is one of the recipe", () => {
  const recipe = readFileSync(join(installed.installed, "examples/vitest/shop.test.ts"), "utf8");
  const shown = [...page.matchAll(/```ts\n(test\([^`]*)```/g)].map(([, text]) => text);
  expect(shown).toHaveLength(1);
  for (const text of shown) expect(recipe).toContain(text);
});
