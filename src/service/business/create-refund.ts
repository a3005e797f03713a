import * as Type from "typebox";
import { formatNaira } from "../../world/money/money.js";
import { requireRecord } from "../account-records.js";
import { operation } from "../operation.js";
import { testAmountOutcome } from "../test-values.js";
import { decisionDelayMs } from "./decision.js";
import { readAmount } from "./fees-and-limits.js";
import { payment } from "./machines/payment.js";
import { refund } from "./machines/refund.js";
import { netOfRefund, overdraws } from "./payment-ledger.js";
import { takeReference } from "./references.js";
import { Refund } from "./resources.js";
import { amountBetween, maxTransfer } from "./schemas.js";

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
    "insufficient_available_balance",
  ],
  refusesWhile: [
    { assumption: "business.refund_balance", value: "refused", codes: ["insufficient_available_balance"] },
  ],
  outcomes,
  emits: refund.events,
  assumptions: ["business.amounts", "business.refund", "business.reference", "ids"],

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
