/** Amounts, fees, the receive limit (interface: "Limits"), and the ledger postings of payments. */

import { refuse } from "../../contract/errors.js";
import { formatNaira, type Kobo, prorate, toKobo, toNaira } from "../../contract/money.js";
import { coded, naira } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";

/** Range of a charge in kobo (interface: "Limits"). */
export const minCharge: Kobo = 100_00;
export const maxCharge: Kobo = 5_000_000_00;

/** Range of a transfer in kobo; assumption business.transfers. */
export const minTransfer: Kobo = 1;
export const maxTransfer: Kobo = 1_000_000_000_00;

/** Returns the schema of a requested amount, with its limits in kobo. `readAmount` also refuses fractions of a kobo. */
export const amountBetween = (min: Kobo, max: Kobo) =>
  naira({
    minimum: toNaira(min),
    maximum: toNaira(max),
    description: "NGN, with at most two decimals",
    examples: [5000],
    ...coded("amount_out_of_range", describeRange(min, max)),
  });

/** Returns the end of the sentence "amount must be ...". */
const describeRange = (min: Kobo, max: Kobo): string =>
  `from ${formatNaira(min)} to ${formatNaira(max)}, with at most two decimals`;

// Amounts, fees and the receive limit (interface: "Limits"), in kobo.

/** Fee per payment in kobo: NGN 50 below NGN 5,000, otherwise 1 percent. */
export const flatFee: Kobo = 5_000;
export const percentFrom: Kobo = 500_000;
export const percent = 1;

/** Receive limit in kobo until the business certificate is verified. */
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

// Ledger postings of payments. They move the part of a payment that has not been refunded, less its fee.

/** The fields of a payment that decide its postings. */
export interface PaymentAmounts {
  id: string;
  state: string;
  amount: Kobo;
  /** Total of the processed refunds. */
  refunded: Kobo;
  settled: boolean;
}

/** Returns the part of the payment's fee that is given back once `refunded` kobo of it are refunded in total. */
const feeReturned = ({ amount }: PaymentAmounts, refunded: Kobo): Kobo =>
  prorate(feeOf(amount), refunded, amount);

/** Returns what a refund of `amount` kobo takes from the merchant: the amount less the fee on that part. */
export const netOfRefund = (payment: PaymentAmounts, amount: Kobo): Kobo =>
  amount - (feeReturned(payment, payment.refunded + amount) - feeReturned(payment, payment.refunded));

/** Returns whether a refund of `amount` kobo would take `available` below zero; assumption business.refund_balance. */
export function overdraws(payment: PaymentAmounts, amount: Kobo, { ledger }: Account): boolean {
  const net = netOfRefund(payment, amount);
  const isTakenFromAvailable = payment.state === "success" && payment.settled;
  return isTakenFromAvailable && net > 0 && net > ledger.balance("available");
}

/** Returns the ledger account that holds the merchant's money of a successful payment. */
export const merchantAccountOf = ({ settled }: PaymentAmounts): "available" | "pending" =>
  settled ? "available" : "pending";

/** Returns what remains of the payment, its fee and the merchant's share after refunds. */
function remainderOf(payment: PaymentAmounts): { gross: Kobo; fee: Kobo; net: Kobo } {
  const gross = payment.amount - payment.refunded;
  const fee = feeOf(payment.amount) - feeReturned(payment, payment.refunded);
  return { gross, fee, net: gross - fee };
}

/** Posts the customer's money as it comes in: held in full, or credited to the merchant less the fee. */
export function postReceipt({ id, state, amount }: PaymentAmounts, { ledger }: Account): void {
  const fee = feeOf(amount);
  if (state === "held") ledger.post(id, { received_held: -amount, held: amount });
  else ledger.post(id, { received: -amount, fees: fee, pending: amount - fee });
}

/** Moves a successful payment's money to `held`. */
export const postHold = (payment: PaymentAmounts, { ledger }: Account): void =>
  ledger.post(payment.id, holdPostings(payment, 1));

/** Reverses `postHold`, or credits the merchant with a payment that was held on arrival. */
export const postRelease = (payment: PaymentAmounts, { ledger }: Account): void =>
  ledger.post(payment.id, holdPostings(payment, -1));

function holdPostings(payment: PaymentAmounts, sign: 1 | -1) {
  const { gross, fee, net } = remainderOf(payment);
  return {
    received: sign * payment.amount,
    received_held: -sign * payment.amount,
    [merchantAccountOf(payment)]: -sign * net,
    fees: -sign * fee,
    held: sign * gross,
  };
}

/** Returns the remainder of a held payment to the customer when it fails. */
export function postReturn(payment: PaymentAmounts, { ledger }: Account): void {
  const { gross } = remainderOf(payment);
  const { id, amount } = payment;
  ledger.post(id, { received_held: amount, received_failed: -amount, held: -gross, returned: gross });
}

/** Makes a payment's pending money available. */
export function postSettlement(payment: PaymentAmounts, { ledger }: Account): void {
  const { net } = remainderOf(payment);
  ledger.post(payment.id, { pending: -net, available: net });
}
