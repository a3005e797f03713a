/** Opens the dashboard in the browser of the tests. */
import type { Page } from "playwright-core";
import type { SandboxAccount } from "../../../src/index.js";
import type { PageOptions, useBrowser } from "../../support/browser.js";

type Browser = ReturnType<typeof useBrowser>;

/** Id of an account, by which the dashboard shows it. */
export const idOf = async (account: SandboxAccount): Promise<string> =>
  (await account.control<{ id: string }>("GET", "/account")).id;

/** Opens a screen, such as `inbox` or `activity?show=all`, for the account. */
export async function openDashboard(
  browser: Browser,
  account: SandboxAccount,
  screen = "activity",
  options: PageOptions = { screen: "desktop" },
) {
  const opened = await browser.open(options);
  const query = `${screen.includes("?") ? "&" : "?"}account=${await idOf(account)}`;
  await opened.page.goto(`${account.baseUrl}/#/${screen}${query}`);
  await isLive(opened.page);
  return opened;
}

/** Resolves when the page follows the account's stream. */
export const isLive = (page: Page) => page.locator(".connection.live").waitFor({ state: "attached" });

export const sendCode = async (account: SandboxAccount, phone = "08031234567"): Promise<void> => {
  const reply = await account.fetch("/v1/phone/verify/start", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ phone }),
  });
  if (!reply.ok) throw new Error(`The code was not sent: ${reply.status} ${await reply.text()}`);
};
