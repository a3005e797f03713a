import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { type PageOptions, useBrowser } from "../support/browser.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

interface Operation {
  operationId: string;
}
interface Contract {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
}

async function open(path: string, options: PageOptions = {}, url = sandbox.url) {
  const opened = await browser.open(options);
  const requested: string[] = [];
  opened.page.on("request", (request) => requested.push(request.url()));
  await opened.page.goto(url + path);
  return { ...opened, requested };
}

/** Opens an operation by its anchor, executes it as filled in, and returns the status. */
async function tryOut(page: Page, anchor: string, url = sandbox.url): Promise<string> {
  await page.goto(`${url}/docs#/${anchor}`);
  const operation = page.locator(`#${anchor.split("/").pop()}`);
  await operation.getByRole("button", { name: "Execute" }).click();
  return operation.locator(".live-responses-table tbody .response-col_status").innerText();
}

const width = (page: Page) => page.evaluate("document.documentElement.scrollWidth");

const json = async <T>(path: string): Promise<T> => (await (await fetch(sandbox.url + path)).json()) as T;

/** Heading levels as screen readers announce them. */
const headingRanks = (page: Page): Promise<number[]> =>
  page.evaluate(
    "[...document.querySelectorAll('h1,h2,h3,h4')].map((one) => Number(one.ariaLevel ?? one.tagName[1]))",
  );

describe("the reference", () => {
  test.each([
    ["/docs", "/openapi.json"],
    ["/docs/control", "/_sandbox/openapi.json"],
  ] as const)(
    "%s lists every operation and event of %s, collapsed, before any script runs",
    async (path, document) => {
      const { page } = await open(path, { javaScript: false });
      const shown = await page.evaluate(
        "[...document.querySelectorAll('.operation:not([open])')].map(({ id }) => id)",
      );
      const { paths, webhooks = {} } = await json<Contract>(document);
      const known = Object.values({ ...paths, ...webhooks }).flatMap((methods) => Object.values(methods));
      expect(known.length).toBeGreaterThan(20);
      expect((shown as string[]).sort()).toEqual(known.map(({ operationId }) => operationId).sort());
      expect(await page.locator("noscript").innerText()).toContain("needs JavaScript");
    },
  );

  test("the filter shows what contains every word, says how much that is, and ends with Escape", async () => {
    const { page, requested } = await open("/docs", { screen: "desktop" });
    await page.keyboard.press("/");
    await page.keyboard.type("post PAYOUT");
    const shown = page.locator(".operation:visible");
    expect(await shown.evaluateAll((rows) => rows.map(({ id }) => id))).toEqual(["createPayout"]);
    expect(await page.locator("#found").innerText()).toMatch(/^1 of \d+$/);
    await page.keyboard.press("Escape");
    expect(await shown.count()).toBeGreaterThan(50);
    // The script that draws an opened operation is not loaded before one is opened.
    expect(requested.filter((url) => url.includes("swagger"))).toEqual([]);
  });

  test("an opened operation is at most two screens high: errors that most operations have are one line", async () => {
    const { page, complaints } = await open("/docs", { screen: "desktop" });
    const operation = page.locator("#verifyBvn");
    await operation.locator("summary").first().press("Enter");
    await operation.getByRole("button", { name: "Execute" }).waitFor();
    expect((await operation.boundingBox())?.height).toBeLessThan(1600);
    const errors = operation.locator(".errors > details");
    expect(await errors.locator("> summary > code").allInnerTexts()).toEqual([
      "invalid_phone",
      "invalid_bvn",
      "phone_number_required",
      "insufficient_balance",
    ]);
    const common = errors.last();
    await common.locator("summary").first().click();
    expect(await common.locator("code").allInnerTexts()).toContain("rate_limited");
    await errors.nth(1).locator("summary").click();
    expect(await errors.nth(1).locator("pre").innerText()).toContain('"code": "invalid_bvn"');
    expect(complaints).toEqual([]);
  });

  test("operations can be executed at once, with test key and required fields filled in, and with another key", async () => {
    const { page, complaints, requested } = await open("/docs", { screen: "desktop", colorScheme: "dark" });
    expect(await tryOut(page, "Account/getBalance")).toBe("200");
    expect(await tryOut(page, "Phone%20code%20verification/startPhoneVerification")).toBe("201");
    expect(await tryOut(page, "Identity%20and%20data%20verification/verifyBvn")).toBe("200");
    const body = page.locator("#verifyBvn .live-responses-table tbody .response-col_description");
    expect(await body.innerText()).toContain('"confidence_score": 100');
    expect(complaints).toEqual([]);
    expect(requested.filter((url) => !url.startsWith(`${sandbox.url}/`) && !url.startsWith("data:"))).toEqual(
      [],
    );
    const { items } = await json<{ items: { operation: string }[] }>("/_sandbox/requests");
    expect(items.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(["getBalance", "startPhoneVerification", "verifyBvn"]),
    );
    await page.getByLabel("Key").fill("svc_test_of_another_account");
    await page.locator("#getBalance").getByRole("button", { name: "Execute" }).click();
    await page
      .locator("#getBalance .curl", { hasText: "X-Service-Key: svc_test_of_another_account" })
      .waitFor();
  });

  test("an operation of the dashboard gets a session token for each call, also after the clock is advanced", async () => {
    const { page, complaints } = await open("/docs", { screen: "desktop" });
    const anchor = "Website%20audits/startDomainVerification";
    expect(await tryOut(page, anchor)).toBe("201");
    await fetch(`${sandbox.url}/_sandbox/clock/advance`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: '{"by":"2h"}',
    });
    const answered = page.waitForResponse(/domains\/verify\/start/);
    await page.getByRole("button", { name: "Execute" }).click();
    expect((await answered).status()).toBe(200);
    expect(complaints).toEqual([]);
  });

  test("works at every host name, whatever the server of the OpenAPI document", async () => {
    const url = sandbox.url.replace("127.0.0.1", "localhost");
    const { page, complaints } = await open("/docs", { screen: "desktop" }, url);
    expect(await tryOut(page, "Account/getBalance", url)).toBe("200");
    expect(complaints).toEqual([]);
  });
});

describe("on every screen", () => {
  test("every page fits 360 pixels, in both colour schemes", async () => {
    const { page } = await open("/");
    await page.setViewportSize({ width: 360, height: 800 });
    for (const path of ["/", "/start", "/docs", "/docs/control", "/docs/values", "/docs/assumptions"]) {
      await page.goto(sandbox.url + path);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await width(page), `${path} ${colorScheme}`).toBeLessThanOrEqual(360);
      }
    }
    await tryOut(page, "Phone%20code%20verification/startPhoneVerification");
    expect(await width(page), "an operation that was tried out").toBeLessThanOrEqual(360);
  });

  test.each(["/docs", "/docs/values", "/docs/assumptions"])(
    "%s has landmarks, and headings without skipped levels",
    async (path) => {
      const { page } = await open(path);
      for (const role of ["banner", "main"] as const)
        expect(await page.getByRole(role).count(), role).toBe(1);
      expect(await page.getByRole("navigation", { name: "Pages" }).count()).toBe(1);
      const ranks = await headingRanks(page);
      expect(ranks[0]).toBe(1);
      for (const [index, rank] of ranks.entries())
        expect(rank - (ranks[index - 1] ?? 0), `heading ${index}`).toBeLessThanOrEqual(1);
    },
  );

  test("the keyboard reaches the skip link first, then the navigation", async () => {
    const { page } = await open("/docs/values");
    const focused = () => page.evaluate("document.activeElement.textContent");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to content");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Dashboard");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
  });
});
