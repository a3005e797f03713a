/** What the screens say at first sight: what caused what, who somebody is, and what is due next. */
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard, sendCode } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

test("what an activity caused at once is below it, and what happened later stands by itself", async () => {
  const account = sandbox.account();
  await account.clock.freeze("2030-01-01T10:00:00Z");
  await sendCode(account);
  await account.advance("10m");
  const { page, complaints } = await openDashboard(browser, account, "activity?show=all");
  const rows = page.locator("main .list .activity");
  await rows.nth(6).waitFor();
  const shown = await rows.evaluateAll((all) =>
    all.map((row) => [
      row.querySelector(".kind")?.textContent,
      /--depth: ?(\d)/.exec(row.getAttribute("style") ?? "")?.[1],
    ]),
  );
  expect(shown).toEqual([
    ["by hand", "0"],
    ["due", "0"],
    ["state", "1"],
    ["request", "0"],
    ["state", "1"],
    ["message", "1"],
    ["by hand", "0"],
  ]);
  expect(complaints).toEqual([]);
});

test("a person is one thread, whatever channel the messages came by, under the name that is known", async () => {
  const account = sandbox.account();
  await account.scenario.load({
    name: "two channels",
    given: { channels: [{ connected: true }], identity_checks: [{ to: "2348031234567" }] },
  });
  await sendCode(account);
  const { page, complaints } = await openDashboard(browser, account, "inbox");
  const thread = page.locator("main .row");
  await thread.first().waitFor();
  expect(await thread.count()).toBe(1);
  expect(await thread.locator("b").innerText()).toBe("Adaeze Okafor");
  await thread.getByText(/\+2348031234567 · SMS · Chat/).waitFor();
  await thread.click();
  await page.locator(".bubble-foot").getByText("SMS").waitFor();
  await page.getByLabel("Reply as Adaeze Okafor").fill("Ngozi");
  await page.keyboard.press("Enter");
  await page.locator(".own").getByText("Ngozi").waitFor();
  expect(complaints).toEqual([]);
});

test("the header says what is due next", async () => {
  const account = sandbox.account();
  await account.clock.freeze("2030-01-01T10:00:00Z");
  await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
  const { page } = await openDashboard(browser, account, "clock");
  await page
    .locator(".clock-due")
    .getByText(/^in 10 min: The code for \+\d+ expires\.$/)
    .waitFor();
  await page.getByText(/^Due next: in 10 min: The code for \+\d+ expires\.$/).waitFor();
});

test("only the newest message pops up", async () => {
  const account = sandbox.account();
  await account.clock.freeze("2030-01-01T10:00:00Z");
  const { page } = await openDashboard(browser, account);
  for (const minute of [1, 2, 3]) {
    await page.getByRole("button", { name: /^\+1 min/ }).click();
    await page.getByText(`It is now 10:0${minute}:00 UTC`).waitFor();
    expect(await page.locator(".toast").count()).toBe(1);
  }
});

test("steps without a sentence name what they are about", async () => {
  const { page } = await openDashboard(browser, sandbox.account(), "scenarios/channel-code-limits");
  await page.locator(".steps li").first().waitFor();
  const texts = await page.locator(".steps li").allInnerTexts();
  expect(texts.join("\n")).not.toContain("${");
});
