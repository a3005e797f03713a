/** The dashboard without a mouse: the tests press keys, and never focus an element themselves. */
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { useBrowser } from "../support/browser.js";
import { startReceiver } from "../support/receiver.js";
import { post, useListeningSandbox } from "../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();
const longestWay = 60;

/** Presses Tab until an element of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const reached: string[] = [];
  for (let presses = 0; presses < longestWay; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>(
      "(({ labels, ariaLabel, innerText }) => labels?.[0]?.innerText ?? ariaLabel ?? innerText)(document.activeElement)",
    );
    if (focused.trim() === name) return;
    reached.push(focused);
  }
  throw new Error(`Tab never reached ${name}, but ${reached.join(", ")}`);
}

test("a payout is rejected, and its delivery is opened", async () => {
  const account = sandbox.account();
  await account.scenario.load({
    name: "A payout on hold",
    given: { payments: [{ amount: 20_000, settled: true }], payouts: [{ amount: 7_000.68 }] },
  });
  await account.clock.freeze();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  await post(account, "/v1/webhooks", { url: receiver.url, events: ["payout.rejected"] });
  const { page, complaints } = await openDashboard(browser, account);

  await tabTo(page, "Records");
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Records" }).getByRole("link").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: /The payout is requested/ }).waitFor();
  await tabTo(page, "reject");
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: /The payout is rejected/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".detail").waitFor({ state: "detached" });

  await tabTo(page, "Webhooks");
  await page.keyboard.press("Enter");
  await page
    .getByRole("list", { name: "Deliveries" })
    .getByRole("link", { name: /payout\.rejected/ })
    .waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByText("genuine", { exact: true }).first().waitFor();
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
  await page.getByRole("heading", { name: "startPhoneVerification" }).waitFor();
  expect(await account.control("GET", "/rules")).toMatchObject({
    items: [{ on: "startPhoneVerification", outcome: "sms_failed", times: 1 }],
  });
  expect(complaints).toEqual([]);
});
