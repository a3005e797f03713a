/** The dashboard without a mouse: the tests press keys, and never focus an element themselves. */
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { startReceiver } from "../../support/receiver.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";
import { idOf, openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();
const longestWay = 60;

/** Presses Tab until an element of this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const reached: string[] = [];
  for (let presses = 0; presses < longestWay; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>(
      "(({ labels, ariaLabel, innerText }) => labels?.[0]?.innerText ?? ariaLabel ?? innerText)(document.activeElement)",
    );
    if (typeof name === "string" ? focused.trim() === name : name.test(focused)) return;
    reached.push(focused);
  }
  throw new Error(`Tab never reached ${name}, but ${reached.join(", ")}`);
}

test("a payout is rejected, its failed delivery is retried, and its tree leads back to the rejection", async () => {
  const account = sandbox.account();
  await account.scenario.load({
    name: "A payout on hold",
    given: { payments: [{ amount: 20_000, settled: true }], payouts: [{ amount: 7_000.68 }] },
  });
  await account.clock.freeze();
  const receiver = await startReceiver((count, response) => {
    response.statusCode = count === 1 ? 500 : 204;
    response.end();
  });
  onTestFinished(() => receiver.close());
  await post(account, "/v1/webhooks", { url: receiver.url, events: ["payout.rejected"] });
  const { page, complaints } = await openDashboard(browser, account);

  await tabTo(page, "Records");
  await page.keyboard.press("Enter");
  await page.getByRole("navigation", { name: "Records" }).getByRole("link").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "payout requested" }).waitFor();
  await tabTo(page, "reject");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "payout rejected" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".detail").waitFor({ state: "detached" });

  await tabTo(page, "Webhooks");
  await page.keyboard.press("Enter");
  await page
    .getByRole("navigation", { name: "Deliveries" })
    .getByRole("link", { name: /payout\.rejected/ })
    .waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByText("genuine", { exact: true }).first().waitFor();
  await tabTo(page, "Retry");
  await page.keyboard.press("Enter");
  await page.locator(".facts .tag", { hasText: "succeeded" }).waitFor();
  await page.getByText("Attempt 2", { exact: true }).waitFor();
  await tabTo(page, "Cause and effect");
  await page.keyboard.press("Enter");
  await page.locator(".tree").waitFor();
  await tabTo(page, /\/moves\/reject/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /\/moves\/reject/ }).waitFor();
  expect(complaints).toEqual([]);
});

test("a code is sent by a request, appears in the inbox, and is copied", async () => {
  const account = sandbox.account();
  const { page, complaints } = await openDashboard(browser, account);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await tabTo(page, "Try a request");
  await page.keyboard.press("Enter");
  await page.locator(".detail").getByLabel("Operation").waitFor();
  await tabTo(page, "Operation");
  await tabTo(page, "Operation");
  await page.keyboard.press("ArrowDown");
  await page.getByText("Send a one-time code by SMS").waitFor();
  await tabTo(page, "API key");
  await page.keyboard.type(account.key);
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("201").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  const [message] = await account.inbox.list();
  const code = String(message?.codes[0]);
  await page.getByRole("button", { name: code }).waitFor();
  await tabTo(page, code);
  await page.keyboard.press("Enter");
  await page.getByText("Copied").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(code);
  expect(complaints).toEqual([]);
});

test("the clock is advanced by 24 h, and another account is chosen", async () => {
  const [account, other] = [sandbox.account(), sandbox.account()];
  await account.clock.freeze("2030-01-31T09:00:00Z");
  const id = await idOf(other);
  const { page, complaints } = await openDashboard(browser, account);
  await page.getByRole("group", { name: "Clock" }).getByText("frozen").waitFor();
  await tabTo(page, "+24 h: advance the clock");
  await page.keyboard.press("Enter");
  await page.getByText(/^It is now 09:00:00 UTC on Fri, 1 Feb 2030/).waitFor();
  await tabTo(page, /^Account:/);
  await page.keyboard.press("Enter");
  await page.locator(".picker-menu").getByText(id).waitFor();
  await tabTo(page, new RegExp(id));
  await page.keyboard.press("Enter");
  await page.locator(".picker-button").getByText(id).waitFor();
  expect(complaints).toEqual([]);
});

test("a scenario is found, run with live steps, and loaded", async () => {
  const account = sandbox.account();
  const { page, complaints } = await openDashboard(browser, account);
  await page.keyboard.press("9");
  await page.getByLabel("Search names").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("payout-rejected");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Run" }).waitFor();
  await tabTo(page, "Run");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("passed", { exact: true }).waitFor();
  await tabTo(page, "Load");
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Loaded scenario" }).waitFor();
  expect(complaints).toEqual([]);
});

test("a rule is made from the form", async () => {
  const account = sandbox.account();
  const { page, complaints } = await openDashboard(browser, account, "rules");
  await tabTo(page, "New rule");
  await page.keyboard.press("Enter");
  await tabTo(page, "On");
  await page.keyboard.type("startPhoneVerification");
  await tabTo(page, "Outcome");
  await page.keyboard.type("sms_failed");
  await tabTo(page, "Times");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Send a one-time code by SMS" }).waitFor();
  expect(await account.control("GET", "/rules")).toMatchObject({
    items: [{ on: "startPhoneVerification", outcome: "sms_failed", times: 1 }],
  });
  expect(complaints).toEqual([]);
});

test("the demo is loaded, a payment is read, a chat is answered, and the chart is walked through", async () => {
  const { page, complaints } = await openDashboard(browser, sandbox.account());
  await page.getByRole("button", { name: "Load demo day" }).waitFor();
  await tabTo(page, "Load demo day");
  await page.keyboard.press("Enter");
  // The message is shown for a few seconds; the name stays.
  await page.getByText("Demo day is loaded").waitFor();
  await page.locator(".picker-button").getByText("Demo day").waitFor();
  await tabTo(page, "+1 min: advance the clock");
  await page.keyboard.press("Enter");
  await page.getByText(/^It is now .* ran\.$/).waitFor();
  // The story goes on by the clock: nothing more happens while it is read.
  await tabTo(page, "Freeze the clock");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Resume the clock" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("received; the fee");
  await page.keyboard.press("Escape");
  await page
    .getByRole("link", { name: /received; the fee is/ })
    .first()
    .waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page
    .locator(".tree")
    .getByText(/payment\.received was delivered to/)
    .first()
    .waitFor();
  await page.keyboard.press("Escape");

  await page.keyboard.press("2");
  await page.getByLabel("Search people and messages").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("mother");
  await page.keyboard.press("Escape");
  await page.getByText("What is your mother's first name?").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByText("Chat with Front desk").waitFor();
  await tabTo(page, /^Reply as /);
  await page.keyboard.type("Ngozi");
  await page.keyboard.press("Enter");
  await page.locator(".own").getByText("Ngozi").waitFor();

  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await tabTo(page, "Money");
  await page.keyboard.press("Enter");
  await page.locator(".legend").waitFor();
  await tabTo(page, "Entries of the ledger over time");
  const chosen = page.getByRole("slider");
  const newest = await chosen.getAttribute("aria-valuenow");
  await page.keyboard.press("Home");
  expect(await chosen.getAttribute("aria-valuenow")).toBe("1");
  await page.keyboard.press("End");
  expect(await chosen.getAttribute("aria-valuenow")).toBe(newest);
  expect(complaints).toEqual([]);
});
