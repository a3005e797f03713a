/** Interface: "Refund": the record, its states and transitions, and its operation; assumption business.refund. */

import * as Type from "typebox";
import { formatNaira } from "../../contract/money.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { requireRecord } from "../account-records.js";
import { machine, record } from "../machine.js";
import { operation } from "../operation.js";
import { testAmountOutcome } from "../test-values.js";
import { decidedAs, decisionDelayMs, decisionOf } from "./decision.js";
import {
  amountBetween,
  maxTransfer,
  merchantAccountOf,
  netOfRefund,
  overdraws,
  readAmount,
} from "./ledger.js";
import { type PaymentRecord, payment, paymentOf } from "./payments.js";
import { Refund, takeReference } from "./resources.js";

export const refundRecord = record(Refund, {
  hidden: {
    payment_id: Type.String(),
    /**
     * Whether the refund may make the available balance negative; assumption business.refund_balance. Missing in
     * records of version 0.1.
     */
    may_overdraw: Type.Boolean(),
    ...decisionOf(Refund.properties.status),
  },
});
type RefundRecord = RecordIn<typeof refundRecord>;

function reserveAmount(record: RefundRecord, account: Account): void {
  const paid = paymentOf(record, account);
  paid.refund_requested += record.amount;
  account.records.save(payment, paid);
}

/**
 * Returns the next state. A payment that has failed in the meantime has no money left to refund, and its money may have
 * been paid out.
 */
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

export const refund = machine(refundRecord, {
  name: "refund",
  prefix: "rf_",
  subject({ amount, payment_id }, { records }) {
    const payer = records.get(payment, payment_id)?.payer_name ?? null;
    return `Refund of ${formatNaira(amount)}${payer === null ? "" : ` to ${payer}`}`;
  },
  moves: {
    request: {
      from: "new",
      to: "requested",
      effect: reserveAmount,
      emits: "refund.requested",
      says: "requested",
    },
    process: {
      from: "requested",
      to: ["processed", "failed"],
      next: processedOrFailed,
      at: decidedAs("processed"),
      due: "is processed",
      effect: close,
      emits: ["refund.processed", "refund.failed"],
      emitted: ({ state }) => [`refund.${state}`],
      says: ({ state }) => (state === "processed" ? "processed" : "failed: the money is not there"),
    },
    fail: {
      from: "requested",
      to: "failed",
      at: decidedAs("failed"),
      due: "fails",
      effect: close,
      emits: "refund.failed",
      says: "failed",
    },
    reject: {
      from: "requested",
      to: "rejected",
      at: decidedAs("rejected"),
      due: "is rejected",
      effect: close,
      emits: "refund.rejected",
      says: "rejected",
    },
  },
});

const outcomes = {
  processed: "the refund is approved: the amount comes off the balance, and the fee on that part is returned",
  failed: "the refund fails",
  rejected: "the refund is not approved",
  requested: "the refund stays requested",
};

export const createRefund = operation({
  id: "createRefund",
  route: "POST /v1/business/refunds",
  summary: "Request a refund of a payment",
  description:
    "Returns a refund with status requested; the outcome determines its final state. Omit amount to refund all that is " +
    "left of the payment. Card refunds go back to the card.",
  auth: "key",
  body: Type.Object({
    payment_id: Type.String({ examples: ["pay_0123456789abcdef"] }),
    amount: Type.Optional(amountBetween(1, maxTransfer)),
    reason: Type.String({ minLength: 1, examples: ["Returned goods"] }),
  }),
  reply: { 201: Refund },
  refuses: [
    "amount_out_of_range",
    "amount_not_in_kobo",
    "resource_not_found",
    "not_refundable",
    "refund_exceeds_payment",
  ],
  refusesWhile: [
    { assumption: "business.refund_balance", value: "refused", codes: ["insufficient_available_balance"] },
  ],
  outcomes,
  emits: refund.events,
  assumptions: ["business.amounts", "business.refund"],

  testValue({ account, body }) {
    const card = account.records.get(payment, body.payment_id)?.card;
    return (
      testAmountOutcome("createRefund", body.amount) ?? (card?.refund === "failed" ? "failed" : undefined)
    );
  },

  handle({ account, assumptions, body, outcome, refuse }) {
    const requestedAmount = body.amount === undefined ? null : readAmount(body.amount, 1, maxTransfer);
    const paid = requireRecord(account, payment, {
      id: body.payment_id,
      param: "payment_id",
      noun: "payment",
      hint: "GET /v1/business/payments lists them",
    });
    if (paid.state !== "success") {
      const message = `${paid.id} is ${paid.state}; only successful payments can be refunded.`;
      refuse("not_refundable", { param: "payment_id", message });
    }
    const left = paid.amount - paid.refunded - paid.refund_requested;
    const amount = requestedAmount ?? left;
    if (amount > left || left === 0) {
      const message = `${formatNaira(left)} of ${paid.id} can still be refunded; ${formatNaira(paid.refunded)} has been refunded and ${formatNaira(paid.refund_requested)} requested.`;
      refuse("refund_exceeds_payment", { param: "amount", message });
    }
    const may_overdraw = assumptions["business.refund_balance"] === "negative";
    if (!may_overdraw && overdraws(paid, amount, account)) {
      const available = formatNaira(account.ledger.balance("available"));
      const message = `The refund takes ${formatNaira(netOfRefund(paid, amount))} from the balance, but only ${available} is available.`;
      refuse("insufficient_available_balance", { param: "amount", message });
    }
    const created = account.records.start(refund, "request", {
      reference: takeReference(account, "rf"),
      payment_id: paid.id,
      amount,
      reason: body.reason,
      may_overdraw,
      outcome,
      decides_at: account.clock.now() + decisionDelayMs,
    });
    return refund.view(created);
  },
});
