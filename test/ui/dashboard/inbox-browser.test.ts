/** The inbox shows whose messages they are, on every width and beside an open thread. */
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

test.each([360, 1440])("no person is cut at %d px", async (width) => {
  const account = sandbox.account();
  await account.scenario.load("demo-day");
  await account.advance("1h");
  const { page, complaints } = await openDashboard(browser, account, "inbox");
  await page.setViewportSize({ width, height: 900 });
  const people = page.locator(".thread b");
  const cut = () =>
    people.evaluateAll((all) =>
      all
        .filter(({ scrollWidth, clientWidth }) => clientWidth < 40 || scrollWidth > clientWidth)
        .map(({ textContent }) => textContent),
    );
  await people.first().waitFor();
  expect(await people.count()).toBeGreaterThan(5);
  expect(await cut()).toEqual([]);
  await page.locator("main .row").first().click();
  await page.locator(".phone").waitFor();
  if (width > 700) expect(await cut()).toEqual([]);
  expect(complaints).toEqual([]);
});
