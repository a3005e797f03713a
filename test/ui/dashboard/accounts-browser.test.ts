/** Accounts: they have names, and the account of any key can be opened. */
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { idOf, openDashboard, sendCode } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

test("an account gets a name, which the list and the control API show", async () => {
  const account = sandbox.account();
  await sendCode(account);
  const { page, complaints } = await openDashboard(browser, account);
  const picker = page.getByRole("button", { name: /^Account/ });
  await picker.click();
  await page.getByLabel("Name of this account").fill("Checkout tests");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Account: Checkout tests" }).waitFor();
  const { items } = await account.control<{ items: { id: string; name: string | null }[] }>(
    "GET",
    "/accounts",
  );
  expect(items.find(({ name }) => name === "Checkout tests")?.id).toBe(await idOf(account));
  expect(complaints).toEqual([]);
});

test("an account on which a scenario is loaded is named by it", async () => {
  const account = sandbox.account();
  await account.scenario.load("payout-paid");
  const { page } = await openDashboard(browser, account);
  await page.getByRole("button", { name: "Account: Payout paid" }).waitFor();
});

test("the account of a key opens, and calls can be tried with the key at once", async () => {
  const [shown, other] = [sandbox.account(), sandbox.account()];
  const { page, complaints } = await openDashboard(browser, shown);
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByLabel("Open the account of a key").fill(other.key);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.waitForURL(`**account=${await idOf(other)}`);
  await page.getByText(new RegExp(`X-Service-Key: ${other.key}`)).waitFor();
  expect(complaints).toEqual([]);
});
