/** A browser that reaches a sandbox behind a mapped port and another host name: its links open, and it signs in. */
import { expect, test } from "vitest";
import { button, pay, shows } from "../pages/checkout-customer.js";
import { openCheckout } from "../pages/checkouts.js";
import { payingCard } from "../service/business/shop.js";
import { startCheck } from "../support/address-check.js";
import { useBrowser } from "../support/browser.js";
import { idOf, isLive, sendCode } from "../ui/dashboard/dashboard.js";
import { adminToken, hostName, useMappedSandbox } from "./mapped-sandbox.js";

const sandbox = useMappedSandbox();
const browser = useBrowser({ hosts: [hostName] });

test("the link of a checkout opens, and a customer pays", async () => {
  const { url, shop } = await openCheckout(sandbox.account());
  expect(url).toContain(`${sandbox.url}/`);
  const { page } = await browser.open();
  await page.goto(url);
  await pay(page, payingCard);
  await shows(page, "This is your receipt.");
  expect(await shop.payments()).toMatchObject([{ status: "success" }]);
});

test("the link of an address check opens, and a person confirms the address", async () => {
  const { confirm_url } = await startCheck(sandbox.account());
  expect(confirm_url).toContain(`${sandbox.url}/`);
  const { page } = await browser.open();
  await page.goto(confirm_url);
  await button(page, "I am at the address").click();
  await page.getByText("Your address is confirmed").waitFor();
});

test("the dashboard signs in with the token and shows what happens", async () => {
  const account = sandbox.account();
  const { page } = await browser.open({ screen: "desktop" });
  await page.goto(`${sandbox.url}/#/inbox?account=${await idOf(account)}`);
  await page.getByLabel("Admin token").fill(adminToken);
  await page.keyboard.press("Enter");
  await isLive(page);
  await sendCode(account);
  await page.getByText("+2348031234567").first().waitFor();
});

test("an address of the control API asks for the token and then opens", async () => {
  const account = sandbox.account();
  await sendCode(account);
  const { page } = await browser.open();
  await page.goto(`${sandbox.url}/_sandbox/accounts`);
  await page.getByLabel("Admin token").fill(adminToken);
  await page.keyboard.press("Enter");
  await page.getByText(await idOf(account)).waitFor();
  expect(page.url()).toBe(`${sandbox.url}/_sandbox/accounts`);
});
