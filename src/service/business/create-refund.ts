import * as Type from "typebox";
import { Refund } from "../../contract/resources.js";
import { formatNaira } from "../../world/money/money.js";
import { neededRecord } from "../account-records.js";
import { operation } from "../operation.js";
import { amountIn } from "./fees-and-limits.js";
import { koboOutcome } from "./kobo.js";
import { payment } from "./machines/payment.js";
import { refund, refundTime, viewRefund } from "./machines/refund.js";
import { takeReference } from "./references.js";
import { Amount, mostTransfer } from "./schemas.js";

const outcomes = {
  processed: "it is approved and comes off the balance, and the fee on that part is returned",
  failed: "it fails",
  rejected: "it is not approved",
  requested: "it stays requested",
};
type RefundOutcome = keyof typeof outcomes;

export const createRefund = operation({
  id: "createRefund",
  route: "POST /v1/business/refunds",
  summary: "Request a refund of a payment",
  description:
    "Answers with status requested; the outcome says what follows. Without amount the whole payment is refunded. " +
    "Card refunds go back to the card.",
  auth: "key",
  body: Type.Object({
    payment_id: Type.String({ examples: ["pay_0123456789abcdef"] }),
    amount: Type.Optional(Amount),
    reason: Type.String({ minLength: 1, examples: ["Returned goods"] }),
  }),
  reply: { 201: Refund },
  refuses: ["amount_out_of_range", "resource_not_found", "not_refundable", "refund_exceeds_payment"],
  outcomes,
  emits: ["refund.requested", "refund.processed", "refund.rejected", "refund.failed"],
  assumptions: ["business.refund", "business.reference", "ids"],

  testValue({ account, body }) {
    const card = account.records.get(payment, body.payment_id)?.card;
    const asked =
      koboOutcome("createRefund", body.amount) ?? (card?.refund === "failed" ? "failed" : undefined);
    return asked as RefundOutcome | undefined;
  },

  handle({ account, body, outcome, refuse }) {
    const asked = body.amount === undefined ? null : amountIn(body.amount, 1, mostTransfer);
    const paid = neededRecord(account, payment, {
      id: body.payment_id,
      param: "payment_id",
      what: "payment",
      hint: "GET /v1/business/payments lists them",
    });
    if (paid.state !== "success") {
      const message = `${paid.id} is ${paid.state}; only a successful payment can be refunded.`;
      refuse("not_refundable", { param: "payment_id", message });
    }
    const left = paid.amount - paid.refunded - paid.refund_requested;
    const amount = asked ?? left;
    if (amount > left || left === 0) {
      const message = `${formatNaira(left)} of ${paid.id} can still be refunded; ${formatNaira(paid.refunded)} is refunded and ${formatNaira(paid.refund_requested)} requested.`;
      refuse("refund_exceeds_payment", { param: "amount", message });
    }
    const requested = account.records.start(refund, "request", {
      reference: takeReference(account, "rf"),
      payment_id: paid.id,
      amount,
      reason: body.reason,
      outcome,
      decides_at: account.clock.now() + refundTime,
    });
    return viewRefund(requested);
  },
});
