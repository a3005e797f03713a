/** Signing in to a sandbox with an admin token: once, whichever page asks for it. */
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../../src/index.js";
import { useBrowser } from "../../support/browser.js";
import { freePort } from "../../support/port.js";
import { isLive } from "./dashboard.js";

const browser = useBrowser();
const token = "correct horse battery";

async function start(adminToken = token, port = 0) {
  const sandbox = await startSandbox({ adminToken, port });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function signIn(page: Page, given = token): Promise<void> {
  await page.getByLabel("Admin token").fill(given);
  await page.keyboard.press("Enter");
}

const storedIn = (page: Page) => page.evaluate<string>("JSON.stringify(sessionStorage)");

test("the dashboard takes the token once, keeps it in the tab and never in the URL, and the docs do not ask again", async () => {
  const { url } = await start();
  const { page } = await browser.open({ screen: "desktop" });
  await page.goto(`${url}/#/webhooks`);
  await signIn(page, "wrong");
  await page.getByText("This is not the token that the sandbox was started with.").waitFor();
  expect(await storedIn(page)).not.toContain("wrong");
  await signIn(page);
  await isLive(page);
  expect(await storedIn(page)).toContain(token);
  await page.reload();
  await isLive(page);
  expect(page.url()).toBe(`${url}/#/webhooks`);
  for (const path of ["/docs/exports", "/docs/assumptions", "/_sandbox/inbox"])
    expect((await page.goto(url + path))?.status(), path).toBe(200);
  const another = await page.context().newPage();
  await another.goto(url);
  await isLive(another);
});

test("a browser that has signed in on a page of the docs is not asked by the dashboard", async () => {
  const { url } = await start();
  const { page, complaints } = await browser.open({ screen: "desktop" });
  expect((await page.goto(`${url}/docs/exports`))?.status()).toBe(401);
  complaints.length = 0;
  await signIn(page);
  await page.getByRole("link", { name: "Dashboard" }).click();
  await isLive(page);
  expect(complaints).toEqual([]);
});

test("a tab that has the token of an earlier start goes on with what the browser signed in with since", async () => {
  const port = await freePort();
  const first = await start(token, port);
  const { page } = await browser.open({ screen: "desktop" });
  await page.goto(first.url);
  await signIn(page);
  await isLive(page);
  await first.close();
  await start("another token", port);
  const docs = await page.context().newPage();
  await docs.goto(`${first.url}/docs/exports`);
  await signIn(docs, "another token");
  await docs.getByRole("heading", { level: 1, name: "Exports" }).waitFor();
  await page.reload();
  await isLive(page);
  expect(await storedIn(page)).not.toContain(token);
});

test("a refusal that comes after the token was entered does not ask for it again", async () => {
  const { url } = await start();
  const { page } = await browser.open({ screen: "desktop" });
  let refuseLate = () => {};
  const entered = new Promise<void>((resolve) => {
    refuseLate = resolve;
  });
  await page.route("**/_sandbox/accounts*", async (route) => {
    const response = await route.fetch();
    if (response.status() === 401) await entered;
    await route.fulfill({ response });
  });
  await page.goto(url);
  await signIn(page);
  await isLive(page);
  const late = page.waitForResponse((response) => response.status() === 401);
  refuseLate();
  await late;
  await page.unrouteAll({ behavior: "wait" });
  await page.reload();
  await isLive(page);
});

test("a sandbox that nobody can sign in to says how to start it", async () => {
  const sandbox = await startSandbox({ host: "0.0.0.0" });
  onTestFinished(() => sandbox.close());
  const { page } = await browser.open();
  expect((await page.goto(sandbox.url))?.status()).toBe(401);
  await page.getByText("--admin-token").first().waitFor();
  expect(await page.locator("form").count()).toBe(0);
});
