/** What somebody reads stays where it is, whatever arrives meanwhile. */
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { useBrowser } from "../../support/browser.js";
import { startReceiver } from "../../support/receiver.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard, sendCode } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

const placeOf = (row: Locator) => row.evaluate((element) => element.getBoundingClientRect().top);
const newRows = (page: Page) => page.getByRole("button", { name: /^1 new/ });

const sendEvent = (account: SandboxAccount, note: string) =>
  account.control("POST", "/events", { event: "payment.received", data: { id: note } });

test.each<[string, string, (account: SandboxAccount, round: number) => Promise<unknown>]>([
  ["stories", "activity?q=code", (account, round) => sendCode(account, `0803123456${round}`)],
  ["messages", "inbox", (account, round) => sendCode(account, `0803123456${round}`)],
  ["deliveries", "webhooks", (account, round) => sendEvent(account, `pay_${round}`)],
  ["events", "webhooks?show=events", (account, round) => sendEvent(account, `pay_${round}`)],
  [
    "records",
    "records?machine=phone_verification",
    (account, round) => sendCode(account, `0803123456${round}`),
  ],
])("%s that arrive wait above the row in focus, until somebody asks for them", async (_, screen, act) => {
  const account = sandbox.account();
  await account.control("POST", "/webhooks", { url: "http://127.0.0.1:9/" });
  await act(account, 0);
  const { page, complaints } = await openDashboard(browser, account, screen);
  const rows = page.locator("main .list .row");
  await rows.first().waitFor();
  // By its address: the row of a delivery shows the time of its last attempt.
  const read = page.locator(`main .list .row[href="${await rows.first().getAttribute("href")}"]`);
  await rows.first().focus();
  const before = await placeOf(rows.first());
  await act(account, 1);
  await newRows(page).waitFor();
  expect([await rows.count(), await placeOf(read)]).toEqual([1, before]);
  await newRows(page).click();
  await expect.poll(() => rows.count()).toBe(2);
  expect(complaints).toEqual([]);
});

test("later attempts of a delivery come below the one that is read, and do not close it", async () => {
  const account = sandbox.account();
  await account.clock.freeze();
  const receiver = await startReceiver((_count, response) => {
    response.statusCode = 500;
    response.end();
  });
  onTestFinished(() => receiver.close());
  await post(account, "/v1/webhooks", { url: receiver.url });
  await sendEvent(account, "pay_1");
  const [delivery] = await account.deliveries.list();
  const { page } = await openDashboard(browser, account, `webhooks/${delivery?.id}`);
  const first = page.locator(".attempt").filter({ hasText: "Attempt 1" });
  const body = first.getByRole("group", { name: "Body that was sent", exact: true });
  await first.getByText("genuine", { exact: true }).waitFor();
  const before = await placeOf(body);
  await account.advance("1m");
  await page.getByText("Attempt 2", { exact: true }).waitFor();
  expect([await body.isVisible(), await placeOf(body)]).toEqual([true, before]);
});
