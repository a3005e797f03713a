/** A story that fills the screen: its steps, by button and by key, with the phone and the receiver beside it. */
import { expect, onTestFinished, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { startReceiver } from "../../support/receiver.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

test("a call is told step by step, with the message on the phone when it arrives", async () => {
  const account = sandbox.account();
  const { headers } = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const id = headers.get("x-request-id") as string;
  const { page, complaints } = await openDashboard(browser, account, `activity/${id}`);
  await page.getByRole("link", { name: "Story", exact: true }).last().click();
  const head = page.locator(".stage-head");
  await head.getByText("POST /v1/phone/verify/start").waitFor();
  await page.getByText("No message so far.").waitFor();
  expect(await page.getByRole("button", { name: "Back", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await head.getByText("phone_verification new to pending by send").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("region", { name: "Phone of +2348031234567" }).getByText("is your").waitFor();
  await page.keyboard.press("End");
  await head.getByText(/\b201\b/).waitFor();
  expect(await page.getByRole("button", { name: "Next", exact: true }).isDisabled()).toBe(true);
  expect(await page.locator(".ahead").count()).toBe(0);
  await page.keyboard.press("Home");
  expect(await page.locator(".stage .now").count()).toBe(1);
  expect(await page.locator(".ahead").count()).toBeGreaterThan(1);
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "POST /v1/phone/verify/start" }).waitFor();
  expect(complaints).toEqual([]);
});

test("the receiver shows the event that it got, and its answer", async () => {
  const hook = await startReceiver();
  onTestFinished(() => hook.close());
  const account = sandbox.account();
  await post(account, "/v1/webhooks", { url: hook.url });
  await account.events.trigger("payout.paid");
  await account.advance("0s");
  const { page, complaints } = await openDashboard(browser, account, "story");
  await page.getByRole("button", { name: "Next", exact: true }).waitFor();
  await page.keyboard.press("End");
  const receiver = page.getByRole("region", { name: "Receiver" });
  await receiver.getByText("payout.paid", { exact: true }).waitFor();
  await receiver.getByRole("group", { name: "Body that was sent" }).getByText('"payout.paid"').waitFor();
  expect(complaints).toEqual([]);
});

test("the run of a scenario is drawn while it runs", async () => {
  const account = sandbox.account();
  const { page, complaints } = await openDashboard(browser, account, "scenarios/payout-paid");
  await page.getByRole("button", { name: "Run" }).click();
  const picture = page.getByRole("img", { name: "Payout paid" });
  await picture.waitFor();
  await page.getByRole("status").getByText("passed", { exact: true }).waitFor();
  await picture.locator("desc").getByText("GET /v1/business/overview").waitFor({ state: "attached" });
  await page.getByRole("link", { name: "Watch it as a story" }).click();
  await page.locator(".stage .story").waitFor();
  expect(complaints).toEqual([]);
});
