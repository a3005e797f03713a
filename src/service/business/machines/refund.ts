/** Interface: the refund rows of "Business payments" in States and transitions; assumption business.refund. */
import type { Static } from "typebox";
import type { Account } from "../../../world/account/account.js";
import { formatNaira, type Kobo, toNaira } from "../../../world/money/money.js";
import type { Stored } from "../../../world/records/machine.js";
import { machine } from "../../machine.js";
import { type Decided, decidedAs } from "../decision.js";
import { merchantAccountOf, netOfRefund, overdraws } from "../payment-ledger.js";
import { paymentOf } from "../payments.js";
import { Refund } from "../resources.js";
import { type PaymentRecord, payment } from "./payment.js";

export type RefundStatus = Static<typeof Refund>["status"];

export interface RefundFields extends Decided<RefundStatus> {
  reference: string;
  payment_id: string;
  amount: Kobo;
  reason: string;
  /** Whether it may take the available balance below zero; assumption business.refund_balance. */
  may_overdraw?: boolean;
}

type RefundRecord = Stored<RefundFields, RefundStatus>;

function reserveAmount(record: RefundRecord, account: Account): void {
  const paid = paymentOf(record, account);
  paid.refund_requested += record.amount;
  account.records.save(payment, paid);
}

/** A payment that has failed since then has no money left to refund, and its money may have been paid out. */
function processedOrFailed(record: RefundRecord, _input: unknown, account: Account): "processed" | "failed" {
  const paid = paymentOf(record, account);
  const lacksMoney = !record.may_overdraw && overdraws(paid, record.amount, account);
  return paid.state === "failed" || lacksMoney ? "failed" : "processed";
}

/** Releases the reserved amount and, if processed, pays it back. */
function close(record: RefundRecord, account: Account): void {
  const paid = paymentOf(record, account);
  paid.refund_requested -= record.amount;
  if (record.state === "processed") payBack(record, paid, account);
  account.records.save(payment, paid);
}

/** Returns the fee on the refunded part too, so that refunds of all parts return the whole fee. */
function payBack({ id, amount }: RefundRecord, paid: PaymentRecord, { ledger }: Account): void {
  const net = netOfRefund(paid, amount);
  if (paid.state === "held") ledger.post(id, { held: -amount, refunded: amount });
  else ledger.post(id, { [merchantAccountOf(paid)]: -net, fees: net - amount, refunded: amount });
  paid.refunded += amount;
}

/** Formats what happened to a refund, such as `Refund of NGN 500.00 to Ada Obi requested.` */
const describe =
  (what: (record: RefundRecord) => string) =>
  (record: RefundRecord, account: Account): string => {
    const { payer_name } = paymentOf(record, account);
    return `Refund of ${formatNaira(record.amount)}${payer_name === null ? "" : ` to ${payer_name}`} ${what(record)}.`;
  };

const ifProcessed = decidedAs("processed");
const ifFailed = decidedAs("failed");
const ifRejected = decidedAs("rejected");

export const refund = machine<RefundFields>()({
  name: "refund",
  prefix: "rf_",
  states: Refund.properties.status.enum,
  moves: {
    request: {
      from: "new",
      to: "requested",
      effect: reserveAmount,
      emits: "refund.requested",
      says: describe(() => "requested"),
    },
    process: {
      from: "requested",
      to: ["processed", "failed"],
      next: processedOrFailed,
      at: ifProcessed,
      effect: close,
      emits: ["refund.processed", "refund.failed"],
      emitted: ({ state }) => [`refund.${state}`],
      says: describe(({ state }) => (state === "processed" ? "processed" : "failed: the money is not there")),
    },
    fail: {
      from: "requested",
      to: "failed",
      at: ifFailed,
      effect: close,
      emits: "refund.failed",
      says: describe(() => "failed"),
    },
    reject: {
      from: "requested",
      to: "rejected",
      at: ifRejected,
      effect: close,
      emits: "refund.rejected",
      says: describe(() => "rejected"),
    },
  },
  view: (record) => ({
    id: record.id,
    reference: record.reference,
    status: record.state,
    amount: toNaira(record.amount),
    reason: record.reason,
  }),
});
