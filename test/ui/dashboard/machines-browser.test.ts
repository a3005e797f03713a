/** State machines as drawings: the way of a record, and how often moves happened. */
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

test("a record shows the way that it has come, and its end in the colour of its badge", async () => {
  const account = sandbox.account();
  await account.scenario.run("payout-rejected");
  const { page, complaints } = await openDashboard(browser, account, "records");
  await page.locator("main .row", { hasText: "rejected" }).first().click();
  const drawing = page.getByRole("img", {
    name: /The payout is rejected; its way: new, requested, rejected/,
  });
  await drawing.waitFor();
  expect(await drawing.locator(".travelled").count()).toBe(2);
  expect(await drawing.locator(".current").getAttribute("class")).toContain("bad");
  expect(complaints).toEqual([]);
});

test("the coverage shows how often each move happened, and which states were never reached", async () => {
  const account = sandbox.account();
  await account.scenario.load("phone-code");
  await account.fetch("/v1/phone/verify/start", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ phone: "+2348031234567" }),
  });
  const { page, complaints } = await openDashboard(browser, account, "coverage");
  const drawing = page.getByRole("img", { name: /How often the moves of phone_verification happened/ });
  await drawing.waitFor();
  const states = await drawing.locator(".node.unreached text").allTextContents();
  expect(states.sort()).toEqual(["expired", "max_attempts_reached", "verified"]);
  expect(await drawing.getAttribute("aria-label")).toContain("send from new to pending: 1");
  await page.getByText(/^Never used: .*payout/).waitFor();
  // What can be brought about is one click away, and happens to the record that waits for it.
  await page.getByText("3 moves of phone verification never happened").click();
  await page.getByRole("button", { name: "expire: pending to expired" }).click();
  await page.getByText(/^phv_\w+ is now expired\.$/).waitFor();
  await page.getByRole("button", { name: "expire: pending to expired" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "All accounts" }).click();
  await drawing.waitFor();
  expect(complaints).toEqual([]);
});
