import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../../src/index.js";
import { useBrowser } from "../../support/browser.js";
import { shareOf } from "../../support/repetitions.js";
import { useListeningSandbox } from "../../support/sandbox.js";
import { idOf, openDashboard } from "./dashboard.js";

const sandbox = useListeningSandbox();
const browser = useBrowser();

/** Half of the combinations have both colour schemes and both widths. The long run looks at all. */
const looks = shareOf(
  [
    ["light", 360],
    ["light", 1440],
    ["dark", 1440],
    ["dark", 360],
  ] as const,
  2,
  0,
);

const openRow = async (page: Page) => {
  // With the keyboard, since the button that shows new rows may lie over the first one.
  await page.locator("main .row").first().press("Enter");
  await page.locator("main .detail").waitFor();
};
const isForm = (page: Page) => page.locator(".detail form").waitFor();

/** Screens with what is opened on each before it is examined, all of them without another page load. */
const views: readonly (readonly [address: string, open: (page: Page) => Promise<unknown>])[] = [
  ["activity", openRow],
  [
    "activity?view=picture",
    async (page) => {
      await openRow(page);
      await page.locator(".story, .story-steps").filter({ visible: true }).waitFor();
    },
  ],
  ["inbox", openRow],
  ["webhooks", openRow],
  ["records?machine=payout", openRow],
  ["money", openRow],
  ["rules", openRow],
  ["scenarios/demo-day", (page) => page.getByRole("button", { name: "Run" }).waitFor()],
  ["coverage", (page) => page.locator("main table").first().waitFor()],
  [
    "assumptions",
    async (page) => {
      await page.getByLabel("Search assumptions").fill("errors.body");
      await openRow(page);
    },
  ],
  ["clock", (page) => page.getByRole("heading", { name: "Jobs that ran" }).waitFor()],
  ["activity/try/verifyBvn", isForm],
  ["activity/try/verifyDocument", isForm],
  ["reference/verifyBvn", isForm],
  ["reference/control/createRule", isForm],
  [
    "reference/onPayoutPaid",
    (page) => page.getByRole("heading", { name: "Answers of the endpoint" }).waitFor(),
  ],
  ["rules/new", isForm],
  ["exam", (page) => page.getByRole("heading", { name: "No report card is open" }).waitFor()],
  ["webhooks/endpoints/new", isForm],
  ["webhooks/send", isForm],
  [
    "inbox/+2348136642917",
    async (page) => {
      await page.getByLabel("Reply as Ese Akpobome").waitFor();
      await page.getByRole("button", { name: /^Account/ }).click();
      await page.getByRole("list", { name: "Accounts" }).waitFor();
    },
  ],
  [
    "rules",
    async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
    },
  ],
];

/** Picks in the page, because all that axe reports of a screen is megabytes. */
const findViolations = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)),
)`;

/** Finds texts below 12 px. Texts of a drawing are as large as the drawing is scaled. */
const findSmallTexts = `(() => {
  const small = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode;
    const { width, height } = parentElement.getBoundingClientRect();
    if (!textContent.trim() || width * height === 0 || parentElement.closest("desc, title, noscript")) continue;
    const drawing = parentElement.closest("svg[viewBox]");
    const scale = drawing ? drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width : 1;
    if (parseFloat(getComputedStyle(parentElement).fontSize) * scale < 11.9) small.push(textContent);
  }
  return small;
})()`;

async function examine(page: Page, view: string, width: number): Promise<void> {
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  expect(await page.evaluate("document.documentElement.scrollWidth"), view).toBeLessThanOrEqual(width);
  expect(await page.evaluate<string[]>(findViolations), view).toEqual([]);
  expect(await page.evaluate<string[]>(findSmallTexts), view).toEqual([]);
}

// Each look has half of the views. The long run looks at all views in each.
test.each(
  looks.map(([colorScheme, width], turn) => ({ colorScheme, width, shown: shareOf(views, 2, turn) })),
)(
  "every screen and form is accessible and readable: $colorScheme, $width px",
  async ({ colorScheme, width, shown }) => {
    const account = sandbox.account();
    await account.scenario.load("demo-day");
    await account.control("POST", "/rules", { on: "verifyBvn", outcome: "no_match" });
    await account.advance("6m");
    const options = { screen: "desktop", colorScheme } as const;
    const { page, complaints } = await openDashboard(browser, account, "activity", options);
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(axe.source);
    const own = `account=${await idOf(account)}`;
    for (const [address, open] of shown) {
      await page.evaluate(`location.hash = "#/${address}${address.includes("?") ? "&" : "?"}${own}"`);
      await open(page);
      await examine(page, address, width);
      await page.keyboard.press("Escape");
    }
    expect(complaints).toEqual([]);
  },
);

test.each(looks)(
  "neither have empty screens nor both forms to sign in: %s, %i px",
  async (colorScheme, width) => {
    const { page, complaints } = await openDashboard(browser, sandbox.account(), "activity", {
      screen: "desktop",
      colorScheme,
    });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(axe.source);
    const own = new URL(page.url()).hash.split("?")[1];
    for (const screen of [
      "activity",
      "inbox",
      "webhooks",
      "held",
      "records",
      "money",
      "clock",
      "rules",
      "conduct",
    ]) {
      await page.evaluate(`location.hash = "#/${screen}?${own}"`);
      // An empty screen has an action that fills it.
      await page
        .locator(".empty")
        .getByRole("button", { name: "Load demo day" })
        .or(page.locator(".empty").getByRole("link", { name: /rule/ }))
        .waitFor();
      await examine(page, screen, width);
    }
    expect(complaints).toEqual([]);
    const guarded = await startSandbox({ adminToken: "correct horse battery" });
    onTestFinished(() => guarded.close());
    for (const path of ["/", "/docs/exports"]) {
      await page.goto(guarded.url + path);
      await page.getByLabel("Admin token").waitFor();
      await page.evaluate(axe.source);
      await examine(page, path, width);
    }
  },
);
