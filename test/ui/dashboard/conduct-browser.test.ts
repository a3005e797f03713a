/** Conduct in the dashboard: marks in the list of activities, and the findings with their proof. */
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { call, useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

test("a finding appears while the client is at work, is marked in the list, and leads to its proof", async () => {
  const account = sandbox.account();
  await call(account, "GET", "/v1/pricing");
  const { page, complaints } = await openDashboard(browser, account, "activity");
  await page.getByRole("link", { name: /GET \/v1\/pricing/ }).waitFor();
  await call(account, "GET", "/v1/balance?code=123456");
  await page.getByRole("link", { name: /GET \/v1\/balance.*conduct/ }).waitFor();
  await page.getByRole("link", { name: "Conduct 1" }).click();
  await page.getByRole("link", { name: /in a path or a query/i }).click();
  await page.getByRole("heading", { name: /in a path or a query/i }).waitFor();
  await page.getByText("secret-in-url").waitFor();
  await page.getByRole("link", { name: /^req_/ }).click();
  await page.getByRole("region", { name: "Details" }).getByText("GET /v1/balance").first().waitFor();
  expect(complaints).toEqual([]);
});

test("a client without findings is told so, and how much was judged", async () => {
  const account = sandbox.account();
  const { page } = await openDashboard(browser, account, "conduct");
  await page.getByText("No client has called yet").waitFor();
  await call(account, "GET", "/v1/pricing");
  await page.getByText("Nothing to report about the client").waitFor();
  await page.getByText("1 request and 0 webhooks were judged").waitFor();
});
