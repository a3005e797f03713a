/** The list of assumptions on the dashboard: what is in force, and when the service was last asked. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useBrowser } from "../../support/browser.js";
import { temporaryFolder } from "../../support/program.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const file = join(temporaryFolder(), "drift.lock.json");
const checked_at = new Date(Date.now() - 3 * 86_400_000).toISOString();
const sandbox = useListeningSandbox({ driftLock: file, assumptions: { "errors.body": "flat" } });
const browser = useBrowser();

test("each shows its value in force and when standin drift validated it", async () => {
  const entry = { verdict: "contradicted", observed: "flat", checked_at, evidence: [] };
  const assumptions = { "http.created": { ...entry, observed: "200" } };
  writeFileSync(
    file,
    JSON.stringify({ version: 1, against: "https://api.example.com", assumptions, operations: {} }),
  );
  const { page, complaints } = await openDashboard(browser, sandbox.account(), "assumptions");
  const rows = page.locator("main .list .row");
  await rows
    .filter({ hasText: "What does an error body look like?" })
    .getByText("flat", { exact: true })
    .waitFor();
  for (const [id, text] of [
    ["errors.body", "Validated against the service: never"],
    ["http.created", "Validated against the service: 3 days ago; it has 200"],
  ] as const) {
    await page.getByLabel("Search assumptions").fill(id);
    await rows.first().click();
    await page.locator(".detail").getByText(id, { exact: true }).waitFor();
    await page.getByText(text, { exact: true }).waitFor();
  }
  expect(complaints).toEqual([]);
});
