/** State machines as tables of moves: what a record can do, and how often moves happened. */
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

test("a record shows what happened in sentences, and what each move would do in words", async () => {
  const account = sandbox.account();
  await account.scenario.load({
    name: "a payout",
    given: { payments: [{ amount: 20_000, settled: true }], payouts: [{ amount: 7_000.68 }] },
  });
  await account.clock.freeze();
  const { page, complaints } = await openDashboard(browser, account, "records");
  await page.locator("main .row", { hasText: "NGN 7,000.68" }).click();
  await page.getByRole("heading", { name: "payout requested" }).waitFor();
  await page.getByRole("link", { name: /^Payout of NGN 7,000\.68 to .* requested\.$/ }).waitFor();
  const possible = page.getByRole("table", { name: "Moves from requested" });
  await possible.getByRole("row", { name: "reject It becomes rejected" }).waitFor();
  await page.getByText("All states and moves of payout").click();
  const all = page.getByRole("table", { name: "All moves of payout" });
  await all.getByRole("row", { name: /new request \(made\) It becomes requested/ }).waitFor();
  await all.getByRole("row", { name: /requested pay It becomes paid/ }).waitFor();
  expect(complaints).toEqual([]);
});

test("the coverage shows how often each move happened, and makes those happen that never did", async () => {
  const account = sandbox.account();
  await account.scenario.load("phone-code");
  await account.fetch("/v1/phone/verify/start", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ phone: "+2348031234567" }),
  });
  const { page, complaints } = await openDashboard(browser, account, "coverage");
  const moves = page.getByRole("table", { name: "How often the moves of phone verification happened" });
  await moves.getByRole("row", { name: "new send pending 1" }).waitFor();
  expect(await moves.getByRole("cell", { name: "never" }).count()).toBe(3);
  await page.getByText(/^Never used: .*payout/).waitFor();
  // What can be brought about is one click away, and happens to the record that waits for it.
  await moves.getByRole("button", { name: "expire: pending to expired" }).click();
  await page.getByText(/^phv_\w+ is now expired\.$/).waitFor();
  await moves.getByRole("button", { name: "expire: pending to expired" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "All accounts" }).click();
  await moves.waitFor();
  expect(complaints).toEqual([]);
});
