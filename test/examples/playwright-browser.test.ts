/** The Playwright recipe, copied from the installed package and run in a real browser by four workers. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { chromiumOptions } from "../support/browser.js";
import { run, usePackage } from "../support/package.js";
import { shareOf } from "../support/repetitions.js";

const installed = usePackage();

/** Copies the recipe. Returns its folder. */
function recipe(name: string): string {
  const folder = installed.copyOf("playwright", name);
  useTestBrowser(folder);
  return folder;
}

/** Adds a configuration with the browser that our tests use. */
function useTestBrowser(folder: string, extension = "js"): void {
  const launchOptions = chromiumOptions(inject("browserFolder"));
  writeFileSync(
    join(folder, "with-chromium.config.mts"),
    `import config from "./playwright.config.${extension}";
export default { ...config, use: { launchOptions: ${JSON.stringify(launchOptions)} } };
`,
  );
}

const runTests = (folder: string, ...args: readonly string[]) =>
  run(["npm", "test", "--", "--config", "with-chromium.config.mts", ...args], folder);

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

/** The tests are those of the recipe, which all run above: one of them uses every file that was added. */
test.each(shareOf(["commonjs", "module"], 2, 0))(
  "standin init adds the recipe to a project with Playwright, %s, and its tests pass",
  async (type) => {
    const folder = installed.project(`init-${type}`);
    const devDependencies = { "@playwright/test": "^1.50.0" };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "shop", type, devDependencies }));
    const { stdout: planned } = await run(["npx", "standin", "init"], folder);
    expect(planned).toContain("an npm project with Playwright");
    useTestBrowser(folder, type === "commonjs" ? "mjs" : "js");
    const { code, stdout, stderr } = await runTests(folder, "--grep", "pays by card");
    expect(stdout, stderr).toContain("1 passed");
    expect(code).toBe(0);
  },
);
