/** What can be saved of activities: the picture of an explanation, which screen readers read, and the requests. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

test.each(["light", "dark"] as const)(
  "an explanation changes between tree and picture (%s)",
  async (colorScheme) => {
    const account = sandbox.account();
    const { headers } = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
    const id = headers.get("x-request-id") as string;
    const { page, complaints } = await openDashboard(browser, account, `activity/${id}`, {
      screen: "desktop",
      colorScheme,
    });
    await page.getByRole("link", { name: "Picture" }).click();
    const picture = page.getByRole("img", { name: `Story of ${id}` });
    await picture.waitFor();
    expect(await picture.locator("desc").textContent()).toMatch(
      /client to service: POST \/v1\/phone\/verify\/start/,
    );
    expect(await picture.locator(".step").count()).toBeGreaterThan(2);
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as PNG" }).click();
    expect((await saving).suggestedFilename()).toBe(`${id}.png`);
    await page.getByRole("link", { name: "Tree" }).click();
    await page
      .locator(".tree")
      .getByText(/is your Standin code/)
      .waitFor();
    expect(complaints).toEqual([]);
  },
);

test("on a phone, the picture is a list of steps, and nothing is wider than the screen", async () => {
  const account = sandbox.account();
  const { headers } = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const id = headers.get("x-request-id") as string;
  const { page } = await openDashboard(browser, account, `activity/${id}`, { screen: "phone" });
  await page.getByRole("link", { name: "Picture" }).click();
  const steps = page.locator(".story-steps li");
  await steps.first().waitFor();
  expect(await steps.first().innerText()).toMatch(/client to service\s+POST \/v1\/phone\/verify\/start/);
  expect(await steps.count()).toBeGreaterThan(2);
  expect(await page.getByRole("img", { name: `Story of ${id}` }).isVisible()).toBe(false);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
});

test("the requests are saved as an HTTP archive", async () => {
  const account = sandbox.account();
  await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const { page, complaints } = await openDashboard(browser, account);
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "HAR" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("requests.har");
  const { log } = JSON.parse(readFileSync(await saved.path(), "utf8"));
  expect(log.entries).toMatchObject([{ response: { status: 201 } }]);
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
  await page.getByRole("link", { name: "See its account" }).waitFor();
  expect(complaints).toEqual([]);
});
