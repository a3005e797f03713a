import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { idOf, openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

const rows = (page: Page) => page.getByRole("navigation", { name: "Operations" }).getByRole("link");

type Methods = Record<string, Record<string, { operationId: string }>>;
interface Contract {
  tags: { name: string }[];
  paths: Methods;
  webhooks?: Methods;
}

const readContract = async (path: string): Promise<Contract> =>
  (await (await fetch(sandbox.url + path)).json()) as Contract;

const section = (page: Page, title: string) =>
  page.locator(".section", { has: page.getByRole("heading", { name: title, exact: true }) });

/** The status of the reply to a request that was tried. */
const status = (page: Page, code: number) =>
  section(page, "Reply").getByRole("status").getByText(String(code), { exact: true });

/** Texts of the list that still have the backticks of the contract. */
const rawCode = (page: Page) => page.locator("main").getByText("`").count();

test("the script comes when the reference is opened", async () => {
  const { page, complaints } = await openDashboard(browser, sandbox.account());
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  const isOwnScript = (url: string) => /\/dashboard\/reference-[^/]+\.js$/.test(url);
  await page.getByRole("link", { name: "Reference" }).click();
  await rows(page).first().waitFor();
  expect(requested.filter(isOwnScript)).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test.each([
  ["reference", "/openapi.json", "The service"],
  ["reference/control", "/_sandbox/openapi.json", "The control API"],
] as const)("%s lists every operation and event of %s below its section", async (screen, path, name) => {
  const { page, complaints } = await openDashboard(browser, sandbox.account(), screen);
  await rows(page).first().waitFor();
  const { tags, paths, webhooks = {} } = await readContract(path);
  const known = Object.values({ ...paths, ...webhooks }).flatMap((methods) => Object.values(methods));
  expect(await rows(page).count()).toBe(known.length);
  const sections = await page.locator("main .list h2").allInnerTexts();
  const events = Object.keys(webhooks).length > 0 ? ["Events"] : [];
  expect(sections).toEqual([...tags.map((tag) => tag.name), ...events]);
  expect(await page.getByRole("link", { name, exact: true }).getAttribute("aria-current")).toBe("true");
  const address = await page.getByRole("link", { name: "OpenAPI document" }).getAttribute("href");
  expect(address).toBe(path);
  expect(await rawCode(page)).toBe(0);
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

/** Opens every row, and returns what each shows. */
const openAll = `(async () => {
  const shown = [];
  for (const row of document.querySelectorAll("main .list .row")) {
    row.click();
    await new Promise((resolve) => setTimeout(resolve));
    shown.push(document.querySelector(".detail")?.innerText ?? row.innerText + " does not open");
  }
  return shown;
})()`;

test.each([
  ["reference", "/openapi.json"],
  ["reference/control", "/_sandbox/openapi.json"],
])("%s opens every row, and shows no text that is missing or raw", async (screen, path) => {
  const { page, complaints } = await openDashboard(browser, sandbox.account(), screen);
  await rows(page).first().waitFor();
  const shown = await page.evaluate<string[]>(openAll);
  const { paths } = await readContract(path);
  expect(shown.length).toBeGreaterThanOrEqual(Object.keys(paths).length);
  for (const text of shown) expect(text).not.toMatch(/`|undefined|\[object|NaN|does not open/);
  expect(complaints).toEqual([]);
});

test("an operation has its price, fields, outcomes, test values, replies, errors and an example in five languages", async () => {
  const account = sandbox.account();
  const { page, complaints } = await openDashboard(browser, account, "reference/verifyBvn");
  await section(page, "Fields").getByText("first_name").waitFor();
  expect(await page.locator(".facts").first().innerText()).toMatch(/Price\s+NGN 50 per check/);
  expect(await section(page, "Fields").innerText()).toMatch(
    /bvn\s+required\s+string, pattern \^\[0-9\]\{11\}\$/,
  );
  expect(await section(page, "Outcomes").innerText()).toContain("partial_match");
  expect(await section(page, "Replies").innerText()).toMatch(/confidence_score\s+required/);
  await section(page, "Replies")
    .getByText(/fields of data$/)
    .first()
    .click();
  await section(page, "Replies").getByText("gender").first().waitFor();
  await section(page, "Test values").getByText("no_match").first().waitFor();
  const example = section(page, "Example").locator("pre");
  expect(await example.innerText()).toContain("curl -X POST");
  await page.getByRole("link", { name: "fetch", exact: true }).click();
  await example.getByText("await fetch").waitFor();
  await page.getByRole("link", { name: "Python", exact: true }).click();
  await example.getByText("import requests").waitFor();
  await page.getByRole("link", { name: "PHP", exact: true }).click();
  await example.getByText("curl_init('").waitFor();
  await page.getByRole("link", { name: "Go", exact: true }).click();
  await example.getByText("package main").waitFor();
  expect(page.url()).toContain(`account=${await idOf(account)}`);
  expect(complaints).toEqual([]);
});

test("errors have their bodies, and those that most operations have are one line", async () => {
  const { page } = await openDashboard(browser, sandbox.account(), "reference/verifyBvn");
  const lines = section(page, "Errors").locator(".reference-errors > details");
  await lines.first().waitFor();
  expect(await lines.locator("> summary > code:first-of-type").allInnerTexts()).toEqual([
    "invalid_phone",
    "invalid_bvn",
    "phone_number_required",
    "insufficient_balance",
  ]);
  await lines.nth(1).locator("summary").click();
  expect(await lines.nth(1).locator("pre").innerText()).toContain('"code": "invalid_bvn"');
  await lines.last().locator("summary").first().click();
  expect(await lines.last().locator("code").allInnerTexts()).toContain("rate_limited");
});

test("fields of objects inside are opened where they are", async () => {
  const { page } = await openDashboard(browser, sandbox.account(), "reference/control/createRule");
  const fields = section(page, "Fields");
  await fields
    .getByText(/fields of fault$/)
    .first()
    .click();
  await fields
    .getByText(/Delay of the reply in real time/)
    .first()
    .waitFor();
});

test("an event has its headers, body, example and causes, and leads to its deliveries and to sending it", async () => {
  const { page, complaints } = await openDashboard(browser, sandbox.account(), "reference/onPayoutPaid");
  await section(page, "Headers").getByText("X-Service-Signature").waitFor();
  expect(await section(page, "Example").locator("pre").innerText()).toContain('"event": "payout.paid"');
  expect(await section(page, "Body").innerText()).toContain("always payout.paid");
  expect(await section(page, "Answers of the endpoint").innerText()).toContain("2XX");
  await page.getByRole("link", { name: "Request a payout to the payout account", exact: true }).click();
  await page.getByRole("heading", { name: "POST /v1/business/payouts" }).waitFor();
  await page.locator(".detail").getByRole("link", { name: "payout.paid" }).click();
  await page.getByRole("link", { name: "Send it" }).click();
  await page.getByRole("heading", { name: "Send an event" }).waitFor();
  const event = page.locator(".detail").getByLabel("Event");
  // The kinds of events are read after the form is shown.
  await event.locator("option").first().waitFor({ state: "attached" });
  expect(await event.inputValue()).toBe("payout.paid");
  expect(complaints).toEqual([]);
});

test("an operation of the control API is tried for the account that is shown", async () => {
  const account = sandbox.account();
  const { page, complaints } = await openDashboard(browser, account, "reference/control/freezeClock");
  await page.getByRole("button", { name: "Send" }).click();
  await status(page, 200).waitFor();
  expect((await account.clock.get()).mode).toBe("frozen");
  await page.keyboard.press("Escape");
  await page.locator(".detail").waitFor({ state: "detached" });
  expect(await rows(page).first().innerText()).toContain("/healthz");
  expect(complaints).toEqual([]);
});

test("a sample person fills the body in, and is found", async () => {
  const account = sandbox.account();
  const { page } = await openDashboard(browser, account, "reference/verifyNin");
  await page.getByLabel("Sample person").selectOption("Chukwuemeka Nwosu-Eze");
  await page.getByLabel("API key").fill(account.key);
  // The example is the request that the form sends.
  const example = page.getByRole("group", { name: "Example in curl" });
  await example.getByText('"last_name":"Nwosu-Eze"').waitFor();
  await example.getByText(account.key).waitFor();
  await page.getByRole("button", { name: "Send" }).click();
  const reply = page.getByRole("group", { name: "Reply body" });
  await reply.getByText('"Chukwuemeka"').first().waitFor();
  expect(await reply.innerText()).toContain('"match": true');
});

test("an operation of the service's own dashboard gets a session token for each call, also after the clock is advanced", async () => {
  const account = sandbox.account();
  const { page, complaints } = await openDashboard(browser, account, "reference/startDomainVerification");
  await page.getByRole("button", { name: "Send" }).click();
  await status(page, 201).waitFor();
  await account.advance("2h");
  await page.getByRole("button", { name: "Send" }).click();
  await status(page, 200).waitFor();
  expect(complaints).toEqual([]);
});

test("an operation is tried, and its reply leads to what it caused", async () => {
  const account = sandbox.account();
  const { page, complaints } = await openDashboard(browser, account, "reference/startPhoneVerification");
  await page.getByLabel("API key").fill(account.key);
  await page.getByRole("button", { name: "Send" }).click();
  await status(page, 201).waitFor();
  // What it caused is below the reply, and a link leads to all about it.
  await section(page, "Reply").locator(".tree").getByText("SMS to +2348031234567").waitFor();
  await page.getByRole("link", { name: "What it caused" }).click();
  await page
    .locator(".tree")
    .getByText(/message/)
    .first()
    .waitFor();
  expect(await account.inbox.list()).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test("a picture in a reply is shown and can be saved", async () => {
  const account = sandbox.account();
  const { page, complaints } = await openDashboard(browser, account, "reference/generateLogo");
  await page.getByLabel("API key").fill(account.key);
  await page.getByRole("button", { name: "Send" }).click();
  await section(page, "Reply").getByRole("img", { name: "The reply" }).waitFor();
  await page.waitForFunction("document.querySelector('.reply-picture').naturalWidth > 0");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    section(page, "Reply").getByRole("link", { name: "Save" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.svg$/);
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
