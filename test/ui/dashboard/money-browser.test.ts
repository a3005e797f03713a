/** Money: the balances over time as a chart, whose entries are reached by pointer and by keyboard. */
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

/** NGN 20,000.00 settled less the fee of 1 %, and NGN 3,000.00 pending less the flat fee of NGN 50. */
const shop = {
  name: "shop",
  given: { clock: "2030-01-01T10:00:00Z", payments: [{ amount: 20_000, settled: true }, { amount: 3_000 }] },
};

test("the balances add up to those of the service, and every entry is reached by keyboard", async () => {
  const account = sandbox.account();
  await account.scenario.load(shop);
  const overview = await (await account.fetch("/v1/business/overview")).json();
  expect(overview).toMatchObject({ balance: 22_750, available: 19_800, pending: 2_950 });
  const { page, complaints } = await openDashboard(browser, account, "money");
  const balances = page.locator(".legend");
  for (const [name, amount] of [
    ["balance", "22,750.00"],
    ["available", "19,800.00"],
    ["pending", "2,950.00"],
    ["held", "0.00"],
  ] as const)
    await balances.locator("div", { hasText: name }).getByText(amount, { exact: true }).waitFor();
  const chart = page.getByRole("slider", { name: "Entries of the ledger over time" });
  const last = await chart.getAttribute("aria-valuemax");
  expect(await chart.getAttribute("aria-valuenow")).toBe(last);
  await chart.press("Home");
  expect(await chart.getAttribute("aria-valuenow")).toBe("1");
  expect(await chart.getAttribute("aria-valuetext")).toMatch(
    /^10:00:00 UTC, Tue, 1 Jan 2030: .*NGN 20,000\.00.* received; the fee is NGN 200\.00\. balance NGN 19,800\.00, available NGN 0\.00, pending NGN 19,800\.00, held NGN 0\.00$/,
  );
  await balances.getByText("+19,800.00").first().waitFor();
  await chart.press("ArrowRight");
  expect(await chart.getAttribute("aria-valuenow")).toBe("2");
  expect(complaints).toEqual([]);
});

test("a row opens its entry, which leads to the record", async () => {
  const account = sandbox.account();
  await account.scenario.load(shop);
  const { page, complaints } = await openDashboard(browser, account, "money");
  await page.locator("main .row", { hasText: "pending +2,950.00" }).click();
  await page.getByRole("row", { name: "received -3,000.00" }).waitFor();
  await page.getByRole("row", { name: "balance 22,750.00" }).waitFor();
  await page.locator(".detail .facts").getByRole("link", { name: /^pay_/ }).click();
  await page.getByRole("heading", { name: "payment success" }).waitFor();
  expect(complaints).toEqual([]);
});

test("an account without money says what will appear", async () => {
  const { page } = await openDashboard(browser, sandbox.account(), "money");
  await page.getByText("The wallet that pays for calls holds NGN 1,000,000.00.").waitFor();
});
