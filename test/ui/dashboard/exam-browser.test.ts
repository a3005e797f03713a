/** The card of an exam, opened from its file. */
import { expect, test } from "vitest";
import type { ExamCard } from "../../../src/exam/card.js";
import { useBrowser } from "../../support/browser.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

const tried = {
  id: "absorbed/createPayout/timeout",
  class: "absorbed",
  subject: "createPayout",
  title: "The reply to a payout never comes",
} as const;

const card: ExamCard = {
  version: 1,
  command: ["npm", "test"],
  contract: "0.3.0",
  grade: "C",
  baseline: { duration_ms: 900, operations: ["createPayout"], events: [], conduct: [] },
  passed: false,
  runs: 3,
  tried: [{ ...tried, result: "failed" } as unknown as ExamCard["tried"][number]],
  not_tried: [],
  findings: [
    {
      ...tried,
      right: "The payout is looked up before it is sent again.",
      cause: tried.id,
      accepted: null,
      operation: "createPayout",
      event: null,
      perturbation: [],
      evidence: [],
      output: ["1 test failed <b>"],
      file: null,
      reproduce: "standin exam --only absorbed/createPayout/timeout -- npm test",
    },
  ],
  left_running: [],
  duration_ms: 65_000,
  complete: true,
};

const fileOf = (text: string) => ({
  name: "card.json",
  mimeType: "application/json",
  buffer: Buffer.from(text),
});

test("the file of a card is opened, with its grade and its findings", async () => {
  const { page, complaints } = await openDashboard(browser, sandbox.account(), "exam");
  await page.getByLabel("Open a card").setInputFiles(fileOf(JSON.stringify(card)));
  const grade = page.getByRole("region", { name: "Grade" });
  await grade.getByText("the client does not absorb what it should").waitFor();
  expect(await grade.innerText()).toContain("1 of 1 tried, 3 runs in 1 min 5 s: npm test");
  await page.getByRole("link", { name: /The reply to a payout never comes/ }).click();
  await page.locator(".facts").getByText("The payout is looked up before it is sent again.").waitFor();
  await page.getByRole("group", { name: "Output" }).getByText("1 test failed <b>").waitFor();
  expect(complaints).toEqual([]);
});

test("another file is refused with what it lacks", async () => {
  const { page } = await openDashboard(browser, sandbox.account(), "exam");
  for (const [text, complaint] of [
    ["{", /card\.json is not JSON/],
    ["[]", /card\.json must be a JSON object/],
    ["{}", /card\.json is not the card of an exam/],
  ] as const) {
    await page.getByLabel("Open a card").setInputFiles(fileOf(text));
    await page.getByRole("alert").getByText(complaint).waitFor();
  }
});
