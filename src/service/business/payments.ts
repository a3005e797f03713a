/** Creates and finds payments, and releases those that the receive limit holds. */
import type { Account } from "../../world/account/account.js";
import { type PaymentFields, type PaymentRecord, payment } from "./machines/payment.js";

/** Creates a pending payment. Call inside a commit. */
export const createPayment = (
  account: Account,
  fields: Pick<PaymentFields, "method" | "amount" | "payer_name"> & { virtual_account_id?: string },
): PaymentRecord =>
  account.records.start(payment, "create", {
    virtual_account_id: null,
    ...fields,
    test: !account.live,
    paid_at: null,
    holds: [],
    settles_at: null,
    settled: false,
    refunded: 0,
    refund_requested: 0,
    card: null,
  });

/** Returns the payment of a charge or refund. */
export const paymentOf = ({ payment_id }: { payment_id: string }, { records }: Account): PaymentRecord =>
  records.get(payment, payment_id) as PaymentRecord;

/** Releases the payments held for the receive limit, oldest first. Call inside a commit. */
export function releaseLimitHolds(account: Account): void {
  const held = [...account.records.newest(payment, { state: "held" })].reverse();
  for (const record of held)
    if (record.holds.includes("limit")) account.records.move(payment, record, "release");
}
