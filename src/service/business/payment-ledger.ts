/** Ledger postings of payments. They move the part of a payment that has not been refunded, less its fee. */
import type { Account } from "../../world/account/account.js";
import { type Kobo, prorate } from "../../world/money/money.js";
import { feeOf } from "./fees-and-limits.js";

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
export const feeReturned = ({ amount }: PaymentAmounts, refunded: Kobo): Kobo =>
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
