/** What a payment's moves post to the ledger. Refunded parts are gone; the rest moves, less the fee on it. */
import type { Account } from "../../../world/account.js";
import { type Kobo, share } from "../../../world/money/money.js";
import { feeOf } from "../money.js";
import type { PaymentRecord } from "./payment.js";

/** The fee that is given back when so much of the payment is refunded, all parts together. */
export const feeReturned = ({ amount }: PaymentRecord, refunded: Kobo): Kobo =>
  share(feeOf(amount), refunded, amount);

/** What is left of the payment, of its fee, and of what the merchant has of it. */
function leftOf(record: PaymentRecord): { gross: Kobo; fee: Kobo; net: Kobo } {
  const gross = record.amount - record.refunded;
  const fee = feeOf(record.amount) - feeReturned(record, record.refunded);
  return { gross, fee, net: gross - fee };
}

/** Where the merchant's money of a successful payment lies. */
export const placeOf = ({ settled }: PaymentRecord): "available" | "pending" =>
  settled ? "available" : "pending";

/** The customer's money comes in: held, or the merchant's less the fee. */
export function arrive(record: PaymentRecord, { ledger }: Account): void {
  const { id, amount } = record;
  const fee = feeOf(amount);
  if (record.state === "held") ledger.post(id, { received_held: -amount, held: amount });
  else ledger.post(id, { received: -amount, fees: fee, pending: amount - fee });
}

export function hold(record: PaymentRecord, { ledger }: Account): void {
  const { gross, fee, net } = leftOf(record);
  const { id, amount } = record;
  ledger.post(id, {
    received: amount,
    received_held: -amount,
    [placeOf(record)]: -net,
    fees: -fee,
    held: gross,
  });
}

/** The reverse of hold, and the first success of what was held when it came. */
export function release(record: PaymentRecord, { ledger }: Account): void {
  const { gross, fee, net } = leftOf(record);
  const { id, amount } = record;
  ledger.post(id, {
    received_held: amount,
    received: -amount,
    held: -gross,
    fees: fee,
    [placeOf(record)]: net,
  });
}

/** A held payment fails: what is left goes back to the customer. */
export function letGo(record: PaymentRecord, { ledger }: Account): void {
  const { gross } = leftOf(record);
  const { id, amount } = record;
  ledger.post(id, { received_held: amount, received_failed: -amount, held: -gross, returned: gross });
}

export function settle(record: PaymentRecord, { ledger }: Account): void {
  const { net } = leftOf(record);
  ledger.post(record.id, { pending: -net, available: net });
}
