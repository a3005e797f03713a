/** Amounts, fees and the receive limit (interface: "Limits"), in kobo. */
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account/account.js";
import { type Kobo, prorate, toKobo } from "../../world/money/money.js";
import { describeRange } from "./schemas.js";

/** Fee per payment: NGN 50 below NGN 5,000, otherwise 1 percent. */
export const flatFee: Kobo = 5_000;
export const percentFrom: Kobo = 500_000;
export const percent = 1;

/** Limit until the business certificate is verified. */
export const receiveLimit: Kobo = 500_000_000;

/** Returns the fee of a payment, rounded half up to the kobo. It never exceeds the payment; assumption business.transfers. */
export const feeOf = (amount: Kobo): Kobo =>
  amount < percentFrom ? Math.min(flatFee, amount) : prorate(amount, percent, 100);

/**
 * Converts a requested amount to kobo; assumption business.amounts. Refuses an amount that is out of range with 400
 * amount_out_of_range, and one with fractions of a kobo with 400 amount_not_in_kobo.
 */
export function readAmount(naira: number, min: Kobo, max: Kobo): Kobo {
  const kobo = toKobo(naira);
  if (kobo === null) {
    const message = `amount must have at most two decimals; got ${naira}.`;
    return refuse("amount_not_in_kobo", { param: "amount", message });
  }
  if (kobo >= min && kobo <= max) return kobo;
  const message = `amount must be ${describeRange(min, max)}; got ${naira}.`;
  return refuse("amount_out_of_range", { param: "amount", message });
}

/** Returns the gross of successful payments, which counts towards the receive limit. */
export const receivedBy = ({ ledger }: Account): Kobo => -ledger.balance("received");

/** Returns how much may still be received; null once the certificate is verified. */
export const remainingOf = (account: Account): Kobo | null =>
  account.settings.business_verified ? null : Math.max(0, receiveLimit - receivedBy(account));

export function fitsLimit(account: Account, amount: Kobo): boolean {
  const remaining = remainingOf(account);
  return remaining === null || amount <= remaining;
}
