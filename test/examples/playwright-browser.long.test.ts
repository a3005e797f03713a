/** The Playwright recipe, copied from the installed package and run in a real browser by four workers. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { chromiumOptions } from "../support/browser.js";
import { run, usePackage } from "../support/package.js";
import { isLong, shareOf } from "../support/repetitions.js";

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

// The project below that `standin init` has written runs three of these tests, which use all fixtures, in one worker.
test.runIf(isLong)("npm test passes in examples/playwright", async () => {
  const { code, stdout, stderr } = await runTests(recipe("web-shop"));
  expect(stdout + stderr).toContain("Running 6 tests using 4 workers");
  expect(stdout, stderr).toContain("6 passed");
  expect(code).toBe(0);
});

// The project below has such a test.
test.runIf(isLong)("a test of the recipe that fails shows what happened on its account", async () => {
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

/** A test that fails on purpose. It opens no page. */
const failing = (extension: string) => `
import { expect, test } from "./fixtures.${extension}";
test("a shop is there", ({ baseURL, account }) => {
  expect([baseURL, account.key]).toEqual([]);
});
`;

/** A page whose timer rings with the account's clock. */
const timed = (extension: string) => `
import { expect, test } from "./fixtures.${extension}";
test.use({ pageClock: "account" });
test("a timer of the page rings when the account's clock is advanced", async ({ page, account }) => {
  await page.goto("data:text/html,<p id=p>waiting</p><script>setTimeout(() => { p.textContent = new Date().toISOString() }, 600000)</script>");
  await account.advance("9m");
  await expect(page.locator("p")).toHaveText("waiting");
  await account.advance("2m");
  const { now } = await account.clock.get();
  const shown = Date.parse((await page.locator("p").textContent()) ?? "");
  expect(Math.abs(Date.parse(now) - shown)).toBeLessThan(120_000);
});
`;

test.each(
  shareOf(
    [
      ["commonjs", "mjs", "mts"],
      ["module", "js", "ts"],
    ] as const,
    2,
    0,
  ),
)(
  "standin init adds the recipe to a project with Playwright, %s: its tests pass, and one that fails shows what happened",
  async (type, javaScript, typeScript) => {
    const folder = installed.project(`init-${type}`);
    const devDependencies = { "@playwright/test": "^1.50.0" };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "shop", type, devDependencies }));
    const { stdout: planned } = await run(["npx", "standin", "init"], folder);
    expect(planned).toContain("an npm project with Playwright");
    useTestBrowser(folder, javaScript);
    writeFileSync(join(folder, `wrong.spec.${typeScript}`), failing(javaScript));
    writeFileSync(join(folder, `clock.spec.${typeScript}`), timed(javaScript));
    const some =
      "a timer of the page|pays by card|after declining at the bank|confirms the address|a shop is there";
    const { code, stdout, stderr } = await runTests(folder, "--workers", "1", "--grep", some);
    expect(stdout, stderr).toContain("4 passed");
    expect(stdout.match(/attachment #\d: sandbox-activity \(text\/plain\)/g)).toHaveLength(1);
    expect(stdout).toMatch(/What happened last:[\s\S]* PUT \/v1\/business\/profile 200/);
    expect(stdout).toContain("1 failed");
    expect(code).toBe(1);
  },
);
