import type { BrowserContext } from "@playwright/test";
import { submit } from "./pay-on-checkout.js";

export interface ConfirmOptions {
  /** Where the person shares the location: at the address (the default), elsewhere, or not at all. */
  location?: "address" | "elsewhere" | "none";
  /** Path of a photo or PDF of a bill to upload. Default: none. */
  bill?: string;
}

/** Gives proof on the page of an address check, and resolves once it has been judged. */
export async function confirmAddress(
  context: BrowserContext,
  url: string,
  { location = "address", bill }: ConfirmOptions = {},
): Promise<void> {
  const page = await context.newPage();
  try {
    await page.goto(url);
    // First the bill, since a location may suffice and close the check.
    if (bill !== undefined) {
      await page.getByLabel("Your bill or statement").setInputFiles(bill);
      await submit(page, "Upload the bill");
    }
    if (location !== "none")
      await submit(page, location === "address" ? "I am at the address" : "I am elsewhere");
  } finally {
    await page.close();
  }
}
