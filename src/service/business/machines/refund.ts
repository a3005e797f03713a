/** Interface: the refund rows of "Business payments" in States and transitions; assumption business.refund. */
import type { Account } from "../../../world/account/account.js";
import { type Kobo, toNaira } from "../../../world/money/money.js";
import { machine, type Stored } from "../../../world/records/machine.js";
import { type Decided, decidedAs } from "../decision.js";
import { feeReturned, merchantAccountOf } from "../payment-ledger.js";
import { paymentOf } from "../payments.js";
import { type PaymentRecord, payment } from "./payment.js";

export interface RefundFields extends Decided {
  outcome: "processed" | "failed" | "rejected" | "requested";
  reference: string;
  payment_id: string;
  amount: Kobo;
  reason: string;
}

type RefundRecord = Stored<RefundFields>;

function reserveAmount(record: RefundRecord, account: Account): void {
  const paid = paymentOf(record, account);
  paid.refund_requested += record.amount;
  account.records.save(payment, paid);
}

/** A payment that has failed since then has no money left to refund. */
const processedOrFailed = (record: RefundRecord, _input: unknown, account: Account): string =>
  paymentOf(record, account).state === "failed" ? "failed" : "processed";

/** Releases the reserved amount and, if processed, pays it back. */
function close(record: RefundRecord, account: Account): void {
  const paid = paymentOf(record, account);
  paid.refund_requested -= record.amount;
  if (record.state === "processed") payBack(record, paid, account);
  account.records.save(payment, paid);
}

/** Returns the fee on the refunded part too, so that refunds of all parts return the whole fee. */
function payBack({ id, amount }: RefundRecord, paid: PaymentRecord, { ledger }: Account): void {
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

const refundEvent = ({ state }: RefundRecord): string => `refund.${state}`;

const ifProcessed = decidedAs("processed");
const ifFailed = decidedAs("failed");
const ifRejected = decidedAs("rejected");

export const refund = machine<RefundFields, Account>()({
  name: "refund",
  prefix: "rf_",
  moves: {
    request: { from: "new", to: "requested", effect: reserveAmount, emits: "refund.requested" },
    process: {
      from: "requested",
      to: processedOrFailed,
      oneOf: ["processed", "failed"],
      at: ifProcessed,
      effect: close,
      emits: refundEvent,
    },
    fail: { from: "requested", to: "failed", at: ifFailed, effect: close, emits: "refund.failed" },
    reject: { from: "requested", to: "rejected", at: ifRejected, effect: close, emits: "refund.rejected" },
  },
  view: viewRefund,
});
