/** docs/demo.md, walked through in a browser: each step does what its line says to do, and sees what it says to show. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { isLong } from "../../support/repetitions.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { isLive } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

const instructions = [...readFileSync("docs/demo.md", "utf8").matchAll(/^\| \d+ \| (.+) \| .+ \|$/gm)].map(
  ([, text]) => text as string,
);

const goTo = (page: Page, screen: string) => page.getByRole("link", { name: screen, exact: true }).click();
const rowOf = (page: Page, ...texts: (string | RegExp)[]) =>
  texts.reduce((rows, hasText) => rows.filter({ hasText }), page.locator("main .list .row")).first();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** What is done at each line, by its instruction. */
const steps: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "**Activity**, **Load demo day**": async (page) => {
    await press(page, "Load demo day");
    // It has an account of its own.
    await page.locator(".picker-button").getByText("Demo day").waitFor();
    await goTo(page, "Scenarios");
    await page.getByRole("region", { name: "Loaded scenario" }).getByText("Demo day").waitFor();
  },
  "**Activity**, **+1 min**, a payment that was received": async (page) => {
    await goTo(page, "Activity");
    await page.getByRole("button", { name: /^\+1 min/ }).click();
    await rowOf(page, /received; the fee is/, /webhook/).click();
    await page.locator("main .list .caused").first().waitFor();
    const tree = page.locator(".tree");
    await tree
      .getByText(/scenarios\/demo-day\/load/)
      .first()
      .waitFor();
    await tree.getByText(/payment\.received was delivered to .* attempt 1: 204/).waitFor();
  },
  "**Inbox**, a chat, **Reply as this person**": async (page) => {
    await goTo(page, "Inbox");
    await page
      .getByRole("button", { name: /^\d{6}$/ })
      .first()
      .waitFor();
    await rowOf(page, "What is your mother's first name?").click();
    await page.getByText("Chat with Front desk").waitFor();
    await page.getByPlaceholder("Reply as this person").fill("Ngozi");
    await page.keyboard.press("Enter");
    await page.locator(".own").getByText("Ngozi").waitFor();
  },
  "**Money**, the chart": async (page) => {
    await goTo(page, "Money");
    const chart = page.getByRole("slider", { name: "Entries of the ledger over time" });
    await chart.hover();
    await chart.press("Home");
    await page.locator(".legend").getByText("balance").waitFor();
  },
  "**Records**, *payout*, NGN 60,000.68, **reject**": async (page) => {
    await goTo(page, "Records");
    await page.getByLabel("Machine").selectOption("payout");
    await rowOf(page, "NGN 60,000.68").click();
    await press(page, "reject");
    await page.getByRole("heading", { name: "payout rejected" }).waitFor();
    await page.getByRole("cell", { name: "+60,000.68" }).nth(1).waitFor();
  },
  "**Webhooks**, the `payout.rejected` to `/receiver`": async (page) => {
    await goTo(page, "Webhooks");
    await rowOf(page, "payout.rejected", "/receiver").click();
    await page.getByText("genuine", { exact: true }).waitFor();
    await page.locator(".attempt").getByText("204", { exact: true }).waitFor();
    await page.getByRole("group", { name: "Body that was sent", exact: true }).waitFor();
  },
  "the `payout.rejected` to `/accounting`, **Retry**": async (page) => {
    // Beside the button that shows new rows, which may lie over the middle of the row.
    await rowOf(page, "payout.rejected", "/accounting").click({ position: { x: 30, y: 12 } });
    await page.locator(".attempt[open]").getByText("ECONNREFUSED").waitFor();
    const attempts = page.locator(".attempt");
    const before = await attempts.count();
    await press(page, "Retry");
    await attempts.nth(before).getByText("ECONNREFUSED").waitFor();
  },
  "**Cause and effect**, **Picture**": async (page) => {
    await goTo(page, "Cause and effect");
    await page.locator(".tree li").first().getByText("/moves/reject").waitFor();
    await page.locator(".detail").getByRole("link", { name: "Picture" }).click();
    const picture = page.getByRole("img", { name: /^Story of / });
    for (const line of [/Make a move by hand/, /Payout of NGN 60,000\.68 to .* rejected/, /payout\.rejected/])
      await picture.locator("desc").getByText(line).first().waitFor({ state: "attached" });
  },
  "**Rules**, **New rule** on `verifyBvn`, outcome `provider_unavailable`, **Create rule**": async (page) => {
    await goTo(page, "Rules");
    await goTo(page, "New rule");
    await page.getByLabel("On", { exact: true }).fill("verifyBvn");
    await page.getByLabel("Outcome", { exact: true }).fill("provider_unavailable");
    await press(page, "Create rule");
    await page.getByRole("heading", { name: "Look up a BVN" }).waitFor();
  },
  "**Activity**, **Try a request**, `POST /v1/verify/bvn`, **Send**, **What it caused**": async (page) => {
    await goTo(page, "Activity");
    await page.getByRole("link", { name: "Try a request" }).click();
    await page.locator(".detail").getByLabel("Operation").selectOption({ label: "POST /v1/verify/bvn" });
    await press(page, "Send");
    await page.getByRole("status").getByText("503").waitFor();
    const explained = page.getByRole("link", { name: "What it caused" });
    await explained.click();
    await page.locator(".facts").getByText("provider_unavailable (a rule)").waitFor();
    await goTo(page, "Try again");
    await press(page, "Send");
    await page.getByRole("status").getByText("200").waitFor();
  },
  "**+24 h**": async (page) => {
    await page.getByRole("button", { name: /^\+24 h/ }).click();
    await page.getByText(/It is now .* jobs ran\./).waitFor();
    await goTo(page, "Activity");
    await page.getByLabel("Search titles and ids").fill("settled");
    await rowOf(page, /settled/).waitFor();
  },
  "**Scenarios**, *Identity question answered*, **Run**, **See its account**": async (page) => {
    await goTo(page, "Scenarios");
    await rowOf(page, "Identity question answered").click();
    await press(page, "Run");
    await page.locator(".steps li.passed").first().waitFor();
    await page.getByRole("status").getByText("passed", { exact: true }).waitFor();
    await page.getByRole("img", { name: "Identity question answered" }).waitFor();
    await goTo(page, "See its account");
    await page.locator(".row").first().waitFor();
  },
};

/**
 * Steps of this run. The day after has thousands of jobs: demo-day.test.ts runs them, and dashboard-browser.test.ts
 * advances a clock with the button.
 */
const walked = Object.entries(steps).filter(([instruction]) => isLong || instruction !== "**+24 h**");

test("the demo can be given as its script says", async () => {
  expect(Object.keys(steps)).toEqual(instructions);
  const { page, complaints } = await browser.open({ screen: "desktop" });
  await page.goto(sandbox.url);
  await isLive(page);
  for (const [, step] of walked) await step(page);
  // The failed BVN check is shown as the browser's complaint.
  expect(complaints.filter((text) => !text.includes("503"))).toEqual([]);
});

test("a customer's checkout is reached from its charge", async () => {
  const account = sandbox.account({ key: "svc_test_demo" });
  await account.scenario.load("demo-day");
  const { page } = await browser.open({ screen: "desktop" });
  await page.goto(`${sandbox.url}/#/records?machine=charge`);
  await rowOf(page, "NGN 9,900.00").click();
  const opening = page.waitForEvent("popup");
  await page.getByRole("link", { name: "Open its checkout page" }).click();
  await (await opening).getByText("Order 1044").first().waitFor();
});
