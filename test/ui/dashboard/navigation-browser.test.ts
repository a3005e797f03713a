/** The navigation: every screen has its place, on a wide screen and on a phone. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

const places = {
  Happening: ["Activity", "Inbox", "Webhooks", "Held"],
  State: ["Records", "Money", "Clock"],
  Steering: ["Rules", "Scenarios"],
  Tests: ["Coverage", "Conduct", "Exam", "Assumptions"],
  Reference: ["Reference"],
};
const names = Object.values(places).flat();

test("every screen has its place in the navigation of a wide screen", async () => {
  const { page, complaints } = await openDashboard(browser, sandbox.account());
  const navigation = page.getByRole("navigation", { name: "Screens" });
  for (const [group, screens] of Object.entries(places))
    expect(await navigation.getByRole("list", { name: group }).getByRole("link").allInnerTexts()).toEqual(
      screens,
    );
  for (const name of names) {
    await navigation.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  }
  // Each folder of screens is one of them.
  expect(
    readdirSync("src/ui/dashboard/screens")
      .filter((name) => !name.includes("."))
      .sort(),
  ).toEqual(names.map((name) => name.toLowerCase()).sort());
  expect(complaints).toEqual([]);
});

test("a phone shows the groups below and the screens of the open one above", async () => {
  const { page, complaints } = await openDashboard(browser, sandbox.account(), "activity", {
    screen: "phone",
  });
  for (const [group, screens] of Object.entries(places)) {
    await page
      .getByRole("navigation", { name: "Groups of screens" })
      .getByRole("link", { name: group })
      .click();
    await page.getByRole("heading", { level: 1, name: screens[0] as string, exact: true }).waitFor();
    const tabs = page.getByRole("navigation", { name: group, exact: true });
    for (const name of screens.slice(1)) {
      await tabs.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    }
  }
  expect(complaints).toEqual([]);
});

test("the list of scenarios begins with the demo, and each of its scenarios has a subject", async () => {
  const { page } = await openDashboard(browser, sandbox.account(), "scenarios");
  const list = page.getByRole("navigation", { name: "Scenarios" });
  expect(await list.getByRole("link").first().innerText()).toContain("Demo day");
  expect(await list.getByRole("heading").allInnerTexts()).not.toContain("Others");
});

test("a record is open beside the list of its own machine", async () => {
  const account = sandbox.account();
  await account.scenario.load({ given: { payments: [{ amount: 5_000 }], payouts: [] }, name: "one payment" });
  const { items } = await account.control<{ items: { id: string }[] }>("GET", "/machines/payment/records");
  const { page } = await openDashboard(browser, account, `records/${items[0]?.id}`);
  await page.locator(".detail").waitFor();
  await page
    .getByRole("navigation", { name: "Records" })
    .locator("[aria-current]")
    .getByText("NGN 5,000.00")
    .waitFor();
});
