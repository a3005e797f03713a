/** The Playwright recipe, copied from the installed package and run in a real browser by four workers. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { chromiumOptions } from "../support/browser.js";
import { run, usePackage } from "../support/package.js";

const installed = usePackage();

/** The recipe, with the browser that our tests use. Returns its folder. */
function recipe(name: string): string {
  const folder = installed.copyOf("playwright", name);
  const launchOptions = chromiumOptions(inject("browserFolder"));
  writeFileSync(
    join(folder, "with-chromium.config.ts"),
    `import config from "./playwright.config.js";
export default { ...config, use: { launchOptions: ${JSON.stringify(launchOptions)} } };
`,
  );
  return folder;
}

const runTests = (folder: string, ...args: readonly string[]) =>
  run(["npm", "test", "--", "--config", "with-chromium.config.ts", ...args], folder);

test("npm test passes in examples/playwright", async () => {
  const { code, stdout, stderr } = await runTests(recipe("web-shop"));
  expect(stdout + stderr).toContain("Running 6 tests using 4 workers");
  expect(stdout, stderr).toContain("6 passed");
  expect(code).toBe(0);
});

test("a test that fails shows what happened on its account", async () => {
  const folder = recipe("unpaid-shop");
  const shop = readFileSync(join(folder, "shop.js"), "utf8");
  const update = 'order.status = "paid"';
  expect(shop).toContain(update);
  writeFileSync(join(folder, "shop.js"), shop.replace(update, ";"));
  const { code, stdout } = await runTests(folder, "--grep", "pays by card");
  expect(stdout).toMatch(/attachment #\d: sandbox-activity \(text\/plain\)/);
  expect(stdout).toMatch(/What happened last:[\s\S]* PUT \/v1\/business\/profile 200/);
  expect(stdout).toContain("1 failed");
  expect(code).toBe(1);
});
