/** Amounts, fees and the receive limit (interface: "Limits"). Kobo inside. */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";
import { formatNaira, type Kobo, prorate, toKobo } from "../../world/money/money.js";

/** NGN 50 flat under NGN 5,000, 1 percent from there. */
export const flatFee: Kobo = 5_000;
export const percentFrom: Kobo = 500_000;
export const percent = 1;

/** Until the business certificate is verified. */
export const receiveLimit: Kobo = 500_000_000;

/** Rounded half up to the kobo. */
export const feeOf = (amount: Kobo): Kobo => (amount < percentFrom ? flatFee : prorate(amount, percent, 100));

/** What a request asks for, in kobo: exact, or refused with amount_out_of_range. */
export function amountIn(naira: number, least: Kobo, most: Kobo): Kobo {
  const kobo = toKobo(naira);
  if (kobo !== null && kobo >= least && kobo <= most) return kobo;
  const range = `from ${formatNaira(least)} to ${formatNaira(most)}`;
  const message = `amount must be ${range}, with at most two decimals; ${naira} is not.`;
  return refuse("amount_out_of_range", { param: "amount", message });
}

/** Gross of successful payments: what counts against the receive limit. */
export const receivedBy = ({ ledger }: Account): Kobo => -ledger.balance("received");

/** What may still be received; null once the certificate is verified. */
export const remainingOf = (account: Account): Kobo | null =>
  account.settings.business_verified ? null : Math.max(0, receiveLimit - receivedBy(account));

export function fitsLimit(account: Account, amount: Kobo): boolean {
  const remaining = remainingOf(account);
  return remaining === null || amount <= remaining;
}
