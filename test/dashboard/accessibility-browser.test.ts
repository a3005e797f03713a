import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { expect, test } from "vitest";
import { useBrowser } from "../support/browser.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { idOf, openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();
const forms = ["activity/try/verifyBvn", "rules/new", "webhooks/endpoints"];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test.each([
  ["light", 360],
  ["light", 1440],
  ["dark", 360],
  ["dark", 1440],
] as const)("every screen has no serious accessibility violations: %s, %i px", async (colorScheme, width) => {
  const account = sandbox.account();
  await account.scenario.load("demo-day");
  await account.control("POST", "/rules", { on: "verifyBvn", outcome: "no_match" });
  const { page, complaints } = await openDashboard(browser, account, "activity", {
    screen: "desktop",
    colorScheme,
  });
  await page.setViewportSize({ width, height: 900 });
  const screens = await page.evaluate<string[]>(
    "[...document.querySelectorAll('.nav a')].map((one) => one.getAttribute('href'))",
  );
  await page.evaluate(axe);
  const own = `account=${await idOf(account)}`;
  for (const address of [
    ...screens.filter((one) => one.startsWith("#/") && !one.startsWith("#/records")),
    `#/records?machine=payout&${own}`,
    ...forms.map((form) => `#/${form}?${own}`),
  ]) {
    await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
    if (forms.some((form) => address.startsWith(`#/${form}`))) {
      await page.locator(".detail form").waitFor();
    } else if (!address.startsWith("#/clock")) {
      await page.locator("main .row").first().click();
      await page.locator("main .detail").waitFor();
    }
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    expect(await page.evaluate("document.documentElement.scrollWidth"), address).toBeLessThanOrEqual(width);
    const { violations } = await page.evaluate<AxeResults>("axe.run()");
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(
      serious.flatMap(({ id: rule, nodes }) => nodes.map(({ html }) => `${rule}: ${html}`)),
      address,
    ).toEqual([]);
  }
  expect(complaints).toEqual([]);
});
