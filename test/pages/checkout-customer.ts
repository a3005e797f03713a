/** The checkout in a browser, and the actions of a customer. */
import type { Page } from "playwright-core";
import type { SandboxAccount } from "../../src/index.js";
import { type PageOptions, useBrowser } from "../support/browser.js";
import { useListeningSandbox } from "../support/sandbox.js";
import { type OpenCheckout, openCheckout } from "./checkouts.js";

export interface Opened extends OpenCheckout {
  page: Page;
  complaints: string[];
}

/** For files named *-browser.test.ts. */
export function useCheckouts() {
  const sandbox = useListeningSandbox();
  const browser = useBrowser();
  return {
    account: () => sandbox.account(),
    /** Opens an empty tab. */
    tab: async (): Promise<Page> => (await browser.open()).page,
    async open(options: PageOptions = {}, account: SandboxAccount = sandbox.account()): Promise<Opened> {
      const checkout = await openCheckout(account);
      const opened = await browser.open(options);
      await opened.page.goto(checkout.url);
      return { ...checkout, ...opened };
    },
  };
}

export const fields = ["Card number", "Expiry", "Security code"] as const;
export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
export const heading = (page: Page) => page.getByRole("heading", { level: 1 });
/** Resolves once the text is shown and the page has loaded with its style and script. */
export async function shows(page: Page, text: string): Promise<void> {
  await page.getByText(text).waitFor();
  await page.waitForLoadState();
}
export const testCard = (page: Page, note: string) => page.getByRole("link", { name: note });
export const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement.id || document.activeElement.textContent.trim()");
export const values = (page: Page) => Promise.all(fields.map((label) => page.getByLabel(label).inputValue()));

export async function pay(page: Page, number: string, expiry = "12 / 99"): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry").fill(expiry);
  await page.getByLabel("Security code").fill("123");
  await button(page, /^Pay/).click();
}
