/** What rules hold, in the dashboard: a badge, the editor, and a reload of the page. */
import { expect, test } from "vitest";
import { openShop } from "../../service/business/shop.js";
import { useBrowser } from "../../support/browser.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

test("the reply to a payout is held, survives a reload, and the client gets the status and body that were typed", async () => {
  const account = sandbox.account();
  const shop = await openShop(account);
  await shop.settledTransfer(20_000);
  await shop.setPayoutAccount();
  const { page, complaints } = await openDashboard(browser, account, "rules/new");
  await page.getByLabel("On", { exact: true }).fill("createPayout");
  await page.getByLabel("What happens").selectOption("hold");
  await page.getByLabel("What is held").selectOption("reply");
  await page.getByRole("button", { name: "Create rule" }).click();
  await page.getByText("holds the reply").first().waitFor();

  const paying = shop.ask("POST", "/payouts", { amount: 7_000 });
  await page.getByRole("link", { name: "1 held" }).click();
  await page
    .getByRole("navigation", { name: "Held" })
    .getByRole("link", { name: /Request a payout/ })
    .click();
  await page.reload();
  await page.getByLabel("Status").fill("504");
  await page.getByLabel("Body").fill('{"error": {"code": "provider_timeout"}}');
  await page.getByRole("button", { name: "Release" }).click();
  const { status, body, headers } = await paying;
  expect([status, body]).toEqual([504, { error: { code: "provider_timeout" } }]);
  expect(headers.get("X-Sandbox-Fault")).toBe("hold=reply");
  await page.getByText("Nothing is held").waitFor();
  await page.getByRole("link", { name: "1 held" }).waitFor({ state: "detached" });
  expect((await shop.overview()).available).toBeLessThan(20_000 - 7_000 + 1);
  expect(complaints).toEqual([]);
});

test("a held webhook is changed and dropped", async () => {
  const account = sandbox.account();
  await account.fetch("/v1/webhooks", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ url: "http://127.0.0.1:9/hooks" }),
  });
  await account.rules.add({ on: "webhooks", hold: "webhook" });
  await account.events.trigger("payout.paid");
  const [held] = await account.held.list();
  const { page, complaints } = await openDashboard(browser, account, `held/${held?.id}`);
  await page.getByText("A changed webhook is signed again.").waitFor();
  await page.getByRole("button", { name: "Drop" }).click();
  await page.getByText("Nothing is held").waitFor();
  expect(await account.deliveries.list()).toMatchObject([{ status: "failed" }]);
  expect(complaints).toEqual([]);
});
