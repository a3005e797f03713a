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
  const assumptions = {
    "http.created": { ...entry, observed: "200" },
    "errors.body": entry,
    banks: { ...entry, observed: null },
  };
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
  await page.getByText(/^The service confirms 1 of the \d+ switchable assumptions\. Switched now:/).waitFor();
  await page.getByRole("link", { name: "errors.body=flat" }).waitFor();
  for (const [id, text] of [
    ["phone.ended", "Validated against the service: never"],
    ["errors.body", "Validated against the service: 3 days ago"],
    ["banks", "Validated against the service: 3 days ago; it has none of the values"],
    ["http.created", "Validated against the service: 3 days ago; it has 200"],
  ] as const) {
    await page.getByLabel("Search assumptions").fill(id);
    await page.locator(`main .list .row[href*="/${id}?"]`).click();
    await page.locator(".detail").getByText(id, { exact: true }).waitFor();
    await page.getByText(text, { exact: true }).waitFor();
  }
  expect(complaints).toEqual([]);
});

test("each shows its answer, its reason and the other answers, as the control API lists them", async () => {
  const account = sandbox.account();
  const { items } = await account.control<{ items: Listed[] }>("GET", "/assumptions");
  const { page, complaints } = await openDashboard(browser, account, "assumptions");
  await page.locator("main .list .row").first().waitFor();
  const shown = await page.evaluate<Record<string, string>>(`(async () => {
    const texts = {};
    for (const row of document.querySelectorAll("main .list .row")) {
      row.click();
      await new Promise((resolve) => setTimeout(resolve));
      texts[decodeURIComponent(/assumptions\\/([^?]+)/.exec(row.hash)[1])] = document.querySelector(".detail").textContent;
    }
    return texts;
  })()`);
  expect(Object.keys(shown).sort()).toEqual(items.map(({ id }) => id).sort());
  for (const { id, question, default: usual, reason, value, alternatives } of items)
    for (const text of [
      question,
      ...usual.split("\n"),
      reason,
      value ?? "",
      ...Object.entries(alternatives).flat(),
    ])
      expect(shown[id], id).toContain(text.replaceAll("`", ""));
  expect(complaints).toEqual([]);
});

interface Listed {
  id: string;
  question: string;
  default: string;
  reason: string;
  value: string | null;
  alternatives: Record<string, string>;
}
