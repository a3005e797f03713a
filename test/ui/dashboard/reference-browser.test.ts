import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { idOf, openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

const rows = (page: Page) => page.getByRole("navigation", { name: "Operations" }).getByRole("link");

interface Contract {
  tags: { name: string }[];
  paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
}

test("every operation of the contract is listed below its section, and the script comes when it is opened", async () => {
  const { page, complaints } = await openDashboard(browser, sandbox.account());
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  const isOwnScript = (url: string) => /\/dashboard\/reference-[^/]+\.js$/.test(url);
  await page.keyboard.press("8");
  await rows(page).first().waitFor();
  expect(requested.filter(isOwnScript)).toHaveLength(1);
  const { paths } = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as Contract;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(await rows(page).count()).toBe(operations.length);
  expect(await page.locator(".reference-list h2").allInnerTexts()).toEqual([
    ...new Set(operations.flatMap(({ tags }) => tags)),
  ]);
  expect(complaints).toEqual([]);
});

test("the filter shows what contains every word, and the keyboard opens and leaves an operation", async () => {
  const { page, complaints } = await openDashboard(browser, sandbox.account(), "reference");
  await rows(page).first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("post PAYOUT");
  await page
    .getByRole("status")
    .getByText(/^1 of \d+$/)
    .waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "POST /v1/business/payouts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".detail").waitFor({ state: "detached" });
  expect(await rows(page).count()).toBe(1);
  expect(complaints).toEqual([]);
});

test("an operation has its fields, outcomes, test values, errors and an example in three languages", async () => {
  const account = sandbox.account();
  const { page, complaints } = await openDashboard(browser, account, "reference/verifyBvn");
  const section = (title: string) =>
    page.locator(".section", { has: page.getByRole("heading", { name: title, exact: true }) });
  await section("Fields").getByText("first_name").waitFor();
  expect(await section("Fields").innerText()).toMatch(/bvn\s+required/);
  expect(await section("Outcomes").innerText()).toContain("partial_match");
  expect(await section("Errors").innerText()).toContain("invalid_bvn");
  await section("Test values").getByText("no_match").first().waitFor();
  const example = section("Example").locator("pre");
  expect(await example.innerText()).toContain("curl -X POST");
  await page.getByRole("link", { name: "fetch", exact: true }).click();
  await example.getByText("await fetch").waitFor();
  await page.getByRole("link", { name: "Python", exact: true }).click();
  await example.getByText("import requests").waitFor();
  expect(page.url()).toContain(`account=${await idOf(account)}`);
  expect(complaints).toEqual([]);
});

test("an operation is tried, and its reply leads to what it caused", async () => {
  const account = sandbox.account();
  const { page, complaints } = await openDashboard(browser, account, "reference/startPhoneVerification");
  await page.getByLabel("API key").fill(account.key);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("status").getByText("201").waitFor();
  await page.getByRole("link", { name: "What it caused" }).click();
  await page
    .locator(".tree")
    .getByText(/message/)
    .first()
    .waitFor();
  expect(await account.inbox.list()).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test.each([
  [360, "light"],
  [360, "dark"],
  [1440, "light"],
  [1440, "dark"],
] as const)("it fits %i pixels: %s", async (width, colorScheme) => {
  const account = sandbox.account();
  const { page } = await openDashboard(browser, account, "reference", { screen: "desktop", colorScheme });
  await page.setViewportSize({ width, height: 900 });
  await rows(page).first().waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  await page.evaluate(`location.hash = "#/reference/verifyBvn?account=${await idOf(account)}"`);
  await page.getByRole("heading", { name: "Test values" }).waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  expect(await page.evaluate("document.querySelector('.split-detail').scrollWidth")).toBeLessThanOrEqual(
    width,
  );
});
