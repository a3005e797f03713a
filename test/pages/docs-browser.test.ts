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
  await page.goto("about:blank");
  await page.goto(`${url}/docs#/${anchor}`);
  await page.getByRole("button", { name: "Execute" }).click();
  return page.locator(".live-responses-table tbody .response-col_status").innerText();
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
    ["/docs", "/openapi.json", "light"],
    ["/docs/control", "/_sandbox/openapi.json", "dark"],
  ] as const)(
    "%s lists every operation of %s, without requests to other origins and policy violations",
    async (path, document, colorScheme) => {
      const { page, complaints, requested } = await open(path, { screen: "desktop", colorScheme });
      await page.locator(".opblock").first().waitFor();
      const shown = await page.evaluate(
        "[...document.querySelectorAll('.opblock')].map(({ id }) => id.split('-').pop())",
      );
      const { paths } = await json<Contract>(document);
      const known = Object.values(paths).flatMap((methods) => Object.values(methods));
      expect(known.length).toBeGreaterThan(20);
      for (const { operationId } of known) expect(shown).toContain(operationId);
      expect(
        requested.filter((url) => !url.startsWith(`${sandbox.url}/`) && !url.startsWith("data:")),
      ).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  test("operations can be executed at once, with test key and required fields filled in", async () => {
    const { page, complaints } = await open("/docs", { screen: "desktop" });
    expect(await tryOut(page, "Account/getBalance")).toBe("200");
    expect(await tryOut(page, "Phone%20code%20verification/startPhoneVerification")).toBe("201");
    expect(await tryOut(page, "Identity%20and%20data%20verification/verifyBvn")).toBe("200");
    const body = await page.locator(".live-responses-table tbody .response-col_description").innerText();
    expect(body).toContain('"confidence_score": 100');
    expect(complaints).toEqual([]);
    const { items } = await json<{ items: { operation: string }[] }>("/_sandbox/requests");
    expect(items.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(["getBalance", "startPhoneVerification", "verifyBvn"]),
    );
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

  test("without JavaScript it explains that and links to other pages", async () => {
    const { page } = await open("/docs", { javaScript: false });
    expect(await page.locator("noscript").innerText()).toContain("The reference needs JavaScript");
  });
});

describe("on every screen", () => {
  test.each(["/", "/docs", "/docs/control", "/docs/values", "/docs/assumptions"])(
    "%s fits 360 pixels, in both colour schemes",
    async (path) => {
      for (const colorScheme of ["light", "dark"] as const) {
        const { page } = await open(path, { colorScheme });
        await page.setViewportSize({ width: 360, height: 800 });
        if ((await page.locator("#reference").count()) > 0) await page.locator(".opblock").first().waitFor();
        expect(await width(page)).toBeLessThanOrEqual(360);
      }
    },
  );

  test("an operation that was tried out fits 360 pixels", async () => {
    const { page } = await open("/docs");
    await page.setViewportSize({ width: 360, height: 800 });
    await tryOut(page, "Phone%20code%20verification/startPhoneVerification");
    expect(await width(page)).toBeLessThanOrEqual(360);
  });

  test.each(["/docs", "/docs/values", "/docs/assumptions"])(
    "%s has landmarks, and headings without skipped levels",
    async (path) => {
      const { page } = await open(path);
      if (path === "/docs") await page.locator(".opblock").first().waitFor();
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
    expect(await focused()).toBe("Start");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
  });
});
