/** The screens Webhooks, Records, Rules and Scenarios, as somebody who gives a demo uses them. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { useBrowser } from "../../support/browser.js";
import { startReceiver } from "../../support/receiver.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

/** Opens a screen of the account by its id, as the account picker does. */
async function open(account: SandboxAccount, screen: string, page?: Page) {
  const opened = page ? { page, complaints: [] } : await browser.open({ screen: "desktop" });
  await account.clock.get();
  const { id } = await account.control<{ id: string }>("GET", "/account");
  await opened.page.goto(`${sandbox.url}/#/${screen}${screen.includes("?") ? "&" : "?"}account=${id}`);
  return opened;
}

const payoutOnHold = {
  name: "A payout on hold",
  given: { payments: [{ amount: 20_000, settled: true }], payouts: [{ amount: 7_000.68 }] },
};

test("a payout is rejected with a button, its webhook leads back to that action, and a failed delivery is retried", async () => {
  const account = sandbox.account();
  await account.scenario.load(payoutOnHold);
  await account.clock.freeze();
  const receiver = await startReceiver((count, response) => {
    response.statusCode = count === 1 ? 500 : 204;
    response.end();
  });
  await post(account, "/v1/webhooks", { url: receiver.url, events: ["payout.rejected"] });
  const { page, complaints } = await open(account, "records?machine=payout");
  await page.getByRole("navigation", { name: "Records" }).getByRole("link").first().click();
  await page.getByRole("heading", { name: "payout requested" }).waitFor();
  await page.getByRole("button", { name: "reject" }).click();
  await page.getByRole("heading", { name: "payout rejected" }).waitFor();
  await page.getByText("No moves are possible from the state rejected.").waitFor();

  await page.getByRole("link", { name: "Webhooks" }).click();
  await page
    .getByRole("navigation", { name: "Deliveries" })
    .getByRole("link", { name: /payout\.rejected/ })
    .click();
  await page.getByText("genuine", { exact: true }).first().waitFor();
  const sent = receiver.received[0]?.body.toString();
  expect(await page.getByRole("group", { name: "Body that was sent", exact: true }).first().innerText()).toBe(
    sent,
  );
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("Attempt 2", { exact: true }).waitFor();
  await page.locator(".facts .tag", { hasText: "succeeded" }).waitFor();

  await page.getByRole("link", { name: "Cause and effect" }).click();
  const tree = page.locator(".tree");
  await tree.getByText(/^Payout of NGN 7,000\.68 to .* rejected/).waitFor();
  expect(await tree.locator("li").first().innerText()).toContain("/moves/reject");
  expect(complaints).toEqual([]);
  await receiver.close();
});

test("a rule is created from a form, the next request shows it, and it is deleted", async () => {
  const account = sandbox.account();
  const { page, complaints } = await open(account, "rules/new?on=startPhoneVerification&outcome=sms_failed");
  await page.getByRole("button", { name: "Create rule" }).click();
  await page.getByRole("heading", { name: "Send a one-time code by SMS" }).waitFor();
  const { headers } = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  expect(headers.get("x-sandbox-outcome")).toContain("sms_failed; by=rule");
  await page.getByText("used once").waitFor();
  const { items } = await account.control<{ items: object[] }>("GET", "/rules");
  if (items.length > 0) {
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No rules").waitFor();
  }
  expect(complaints).toEqual([]);
});

test("a scenario is loaded onto the account and shows the next step of its timeline", async () => {
  const account = sandbox.account();
  const { page, complaints } = await open(account, "scenarios/demo-day");
  await page.getByRole("button", { name: "Load" }).click();
  await page.getByRole("region", { name: "Loaded scenario" }).getByText("Demo day").waitFor();
  expect((await account.control<{ loaded: { name: string } }>("GET", "/scenarios")).loaded.name).toBe(
    "demo-day",
  );
  expect(complaints).toEqual([]);
});

test("a scenario is found by its name, and runs with its steps shown as they end", async () => {
  const account = sandbox.account();
  const { page, complaints } = await open(account, "scenarios");
  await page.getByLabel("Search names").fill("payout-rejected");
  await page.getByRole("link", { name: /payout-rejected/ }).click();
  const { steps = [] } = await account.control<{ steps?: object[] }>("GET", "/scenarios/payout-rejected");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("status").getByText("passed", { exact: true }).waitFor();
  expect(steps.length).toBeGreaterThan(0);
  expect(await page.locator(".steps li.passed").count()).toBe(steps.length);
  await page.getByRole("link", { name: "See its account" }).click();
  await page
    .getByRole("link", { name: /Payout of .* rejected/ })
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
});

test("demo-day plays, and the actions of its timeline appear by themselves", async () => {
  const account = sandbox.account();
  await account.scenario.load("demo-day");
  await account.clock.freeze();
  const { page } = await open(account, "webhooks?event=payment.received");
  const rows = page.getByRole("navigation", { name: "Deliveries" }).getByRole("link");
  await rows.first().waitFor();
  const before = await rows.count();
  await account.advance("30s");
  await expect.poll(() => rows.count()).toBeGreaterThan(before);
});

test("an event is sent by hand to the built-in receiver, with the keyboard alone", async () => {
  const account = sandbox.account();
  const { page } = await open(account, "webhooks/endpoints");
  await page.getByRole("button", { name: "Use the built-in receiver" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Built-in receiver", { exact: true }).waitFor();
  // Nothing is open that Escape could close: the endpoints stay.
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Send event" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Data").focus();
  await page.keyboard.type('{"note": "<img src=x onerror=alert(1)>"}');
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page
    .getByRole("link", { name: /receiver/ })
    .getByText("succeeded")
    .waitFor();
  // Markup in the content is shown as text.
  await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
  expect(await page.locator("main img").count()).toBe(0);
});
