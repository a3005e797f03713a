import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { post, useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

test("what happened since an activity is saved as a scenario that passes on a new account", async () => {
  const account = sandbox.account();
  const { headers } = await post(account, "/v1/phone/verify/start", { phone: "+2348031234567" });
  const screen = `activity/${headers.get("x-request-id")}`;
  const { page, complaints } = await openDashboard(browser, account, screen);
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as scenario" }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe("recorded.json");
  const scenario = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(scenario.steps).toHaveLength(2);
  expect((await sandbox.account().scenario.run(scenario)).passed).toBe(true);
  expect(complaints).toEqual([]);
});
