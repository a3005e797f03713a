/** Interface: the refund rows of "Business payments" in States and transitions; assumption business.refund. */
import type { Account } from "../../../world/account.js";
import { machine, type Stored } from "../../../world/machine.js";
import { type Kobo, toNaira } from "../../../world/money/money.js";
import { minute } from "../../../world/time/time.js";
import { feeReturned, merchantAccountOf } from "../payment-ledger.js";
import { type PaymentRecord, payment } from "./payment.js";

/** So long the approval takes. */
export const refundTime = 1 * minute;

export interface RefundFields {
  reference: string;
  payment_id: string;
  amount: Kobo;
  reason: string;
  /** What becomes of it; `requested`: it stays. */
  outcome: "processed" | "failed" | "rejected" | "requested";
  /** Ms on the account's clock. */
  decides_at: number;
}

type RefundRecord = Stored<RefundFields>;

const decidedAs =
  (outcome: RefundFields["outcome"]) =>
  (record: RefundFields): number | null =>
    record.outcome === outcome ? record.decides_at : null;

const paymentOf = ({ payment_id }: RefundFields, { records }: Account): PaymentRecord =>
  records.get(payment, payment_id) as PaymentRecord;

/** The part that it asked for is open no more. */
function close(record: RefundRecord, account: Account): void {
  const paid = paymentOf(record, account);
  paid.refund_requested -= record.amount;
  if (record.state === "processed") pay(record, paid, account);
  account.records.save(payment, paid);
}

/** From where the payment's money lies; the fee on the part comes back, so that all parts together return all of it. */
function pay({ id, amount }: RefundRecord, paid: PaymentRecord, { ledger }: Account): void {
  const fee = feeReturned(paid, paid.refunded + amount) - feeReturned(paid, paid.refunded);
  if (paid.state === "held") ledger.post(id, { held: -amount, refunded: amount });
  else ledger.post(id, { [merchantAccountOf(paid)]: fee - amount, fees: -fee, refunded: amount });
  paid.refunded += amount;
}

export const viewRefund = (record: RefundRecord) => ({
  id: record.id,
  reference: record.reference,
  status: record.state as "requested" | "processed" | "failed" | "rejected",
  amount: toNaira(record.amount),
  reason: record.reason,
});

export const refund = machine<RefundFields, Account>()({
  name: "refund",
  prefix: "rf_",
  moves: {
    request: {
      from: "new",
      to: "requested",
      effect(record, account) {
        const paid = paymentOf(record, account);
        paid.refund_requested += record.amount;
        account.records.save(payment, paid);
      },
      emits: "refund.requested",
    },
    process: {
      from: "requested",
      // A payment that failed meanwhile has no money left to give back.
      to: (record, _input, account) =>
        paymentOf(record, account).state === "failed" ? "failed" : "processed",
      at: decidedAs("processed"),
      effect: close,
      emits: ({ state }) => `refund.${state}`,
    },
    fail: { from: "requested", to: "failed", at: decidedAs("failed"), effect: close, emits: "refund.failed" },
    reject: {
      from: "requested",
      to: "rejected",
      at: decidedAs("rejected"),
      effect: close,
      emits: "refund.rejected",
    },
  },
  view: viewRefund,
});
