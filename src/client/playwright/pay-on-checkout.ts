import type { Page } from "@playwright/test";
import { type TestCard, testCards } from "../../service/business/charges.js";

export interface PayOptions {
  /** The `checkout_url` of a charge. Default: the page that is open. */
  url?: string;
  /** Effect of the card, or the number of a test card. Default `paid`. */
  card?: TestCard["result"] | (string & {});
  /** Answer to the bank's question, which the card `second_step` asks. Default `approve`. */
  secondStep?: "approve" | "decline";
}

/** Pays as the customer, and resolves once the page shows whether the payment went through. */
export async function payOnCheckout(
  page: Page,
  { url, card = "paid", secondStep = "approve" }: PayOptions = {},
): Promise<void> {
  const { number, result } = findCard(card);
  if (url !== undefined) await page.goto(url);
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry").fill("12 / 99");
  await page.getByLabel("Security code").fill("123");
  await submit(page, /^Pay/);
  if (result === "second_step") await submit(page, secondStep === "approve" ? "Approve" : "Decline");
}

function findCard(card: string): TestCard {
  const digits = card.replace(/[\s-]/g, "");
  const found = testCards.find(({ number, result }) => result === card || number === digits);
  if (found) return found;
  const known = testCards.map(({ number, result }) => `${result} (${number})`).join(", ");
  throw new RangeError(`card must be one of the test cards: ${known}`);
}

/** Submits a form of a hosted page. Every answer to one is a page. */
export async function submit(page: Page, button: string | RegExp): Promise<void> {
  await page.waitForLoadState();
  const answer = page.waitForEvent("load");
  await page.getByRole("button", { name: button }).click();
  await answer;
}
