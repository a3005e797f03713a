import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/index.js";
import { useBrowser } from "../support/browser.js";
import { useListeningSandbox } from "../support/sandbox.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

async function open(path: string, url = sandbox.url) {
  const opened = await browser.open({ screen: "desktop" });
  const requested: string[] = [];
  opened.page.on("request", (request) => requested.push(request.url()));
  await opened.page.goto(url + path);
  return { ...opened, requested };
}

const width = (page: Page) => page.evaluate("document.documentElement.scrollWidth");

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

/** Heading levels as screen readers announce them. */
const headingRanks = (page: Page): Promise<number[]> =>
  page.evaluate(
    "[...document.querySelectorAll('h1,h2,h3,h4')].map((one) => Number(one.ariaLevel ?? one.tagName[1]))",
  );

describe("the reference", () => {
  test.each([
    ["/docs", "The service", "POST /v1/phone/verify/start"],
    ["/docs/control", "The control API", "POST /_sandbox/clock/advance"],
  ] as const)("%s opens the list of %s, on the screen of the dashboard", async (path, name, operation) => {
    const { page, complaints } = await open(path);
    const list = page.getByRole("navigation", { name: "Operations" });
    await list.getByText(operation.split(" ")[1] as string, { exact: true }).waitFor();
    expect(await page.getByRole("link", { name, exact: true }).getAttribute("aria-current")).toBe("true");
    expect(
      await page.getByRole("link", { name: "Reference", exact: true }).getAttribute("aria-current"),
    ).toBe("page");
    await page.reload();
    await list.getByText(operation.split(" ")[1] as string, { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test.each([
    ["/docs#/Account/getBalance", "GET /v1/balance"],
    ["/docs#/Phone%20code%20verification/startPhoneVerification", "POST /v1/phone/verify/start"],
    ["/docs#/Webhooks/onPayoutPaid", "payout.paid"],
    ["/docs#/verifyBvn", "POST /v1/verify/bvn"],
    ["/docs/values#verifyNin", "POST /v1/verify/nin"],
    ["/docs/assumptions#webhooks.payload", "What do the payloads contain that the interface does not show?"],
    ["/docs/control#/clock/advanceClock", "POST /_sandbox/clock/advance"],
  ])("the earlier link %s opens %s", async (path, name) => {
    const { page, complaints } = await open(path);
    await heading(page, name).waitFor();
    const row = page.locator("main .list [aria-current]");
    const { y = 0 } = (await row.boundingBox()) ?? {};
    expect(y > 0 && y < 800, `the row is at ${y}`).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("asks nothing of other sites, and works at every host name", async () => {
    const url = sandbox.url.replace("127.0.0.1", "localhost");
    const { page, requested, complaints } = await open("/docs#/Account/getBalance", url);
    await heading(page, "GET /v1/balance").waitFor();
    expect(await page.locator(".code pre").first().innerText()).toContain(`${url}/v1/balance`);
    expect(requested.filter((one) => !one.startsWith(`${url}/`))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("of a sandbox with an admin token is shown to a browser that has signed in", async () => {
    const guarded = await startSandbox({ adminToken: "correct horse battery" });
    onTestFinished(() => guarded.close());
    for (const [path, operation] of [
      ["/docs", "GET /v1/balance"],
      ["/docs/control", "POST /_sandbox/clock/advance"],
    ] as const) {
      const { page } = await open(path, guarded.url);
      await page.getByLabel("Admin token").fill("correct horse battery");
      await page.keyboard.press("Enter");
      const list = page.getByRole("navigation", { name: "Operations" });
      await list.getByText(operation.split(" ")[1] as string, { exact: true }).click();
      await heading(page, operation).waitFor();
    }
  });
});

describe("on every screen", () => {
  test("every page fits 360 pixels, in both colour schemes", async () => {
    const { page } = await open("/");
    await page.setViewportSize({ width: 360, height: 800 });
    for (const path of ["/", "/start", "/docs", "/docs/control", "/docs/assumptions", "/docs/exports"]) {
      await page.goto(sandbox.url + path);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await width(page), `${path} ${colorScheme}`).toBeLessThanOrEqual(360);
      }
    }
  });

  test.each(["/start", "/docs/exports"])(
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
    const { page } = await open("/docs/exports");
    const focused = () => page.evaluate("document.activeElement.textContent");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to content");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Dashboard");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
  });
});
