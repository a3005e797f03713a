/** Creates charges as clients do, and requests their hosted pages over HTTP. */
import type { SandboxAccount } from "../../src/index.js";
import { customer, profile, Shop } from "../service/business/shop.js";
import { type Shown, show } from "../support/address-check.js";

export const declinedCard = "4000000000000002";
export const steppedCard = "4000002760003184";

export interface OpenCheckout {
  account: SandboxAccount;
  shop: Shop;
  reference: string;
  url: string;
}

/** Changes to the business profile and to the charge. */
export interface Changes {
  profile?: object;
  charge?: object;
}

export async function openCheckout(account: SandboxAccount, changes: Changes = {}): Promise<OpenCheckout> {
  const shop = new Shop(account);
  await shop.got("PUT", "/profile", { ...profile, ...changes.profile });
  const charge = { amount: 12_345.5, ...customer, description: "Order 1042", ...changes.charge };
  const { reference, checkout_url } = await shop.got("POST", "/charges", charge);
  return { account, shop, reference, url: checkout_url };
}

/** Fields that the form of the page sends. */
export const card = (number: string, expiry = "12 / 99", code = "123") => ({ number, expiry, code });

export const approve = { second_step: "approve" };
export const decline = { second_step: "decline" };

/** Posts a form to the page, as a browser would. */
export const send = (
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<Shown> => show(url, { method: "POST", body: new URLSearchParams(fields), headers });

/** Posts a form that must be accepted, and opens the page that it redirects to. */
export async function sendAndFollow(url: string, fields: Readonly<Record<string, string>>): Promise<Shown> {
  const { status, headers } = await send(url, fields);
  if (status !== 303) throw new Error(`the form was answered with ${status}`);
  return show(new URL(headers.get("location") as string, url).href);
}

/** Returns the state of the account's only payment, and the kinds of events that were sent. */
export async function outcomeOf({ shop }: OpenCheckout) {
  const [payment] = await shop.payments();
  return { status: payment.status, kinds: await shop.kinds() };
}
