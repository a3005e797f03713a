import * as Type from "typebox";
import { Refund } from "../../contract/resources.js";
import { operation } from "../operation.js";
import { Amount } from "./schemas.js";

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
  outcomes: {
    processed: "it is approved and comes off the balance, and the fee on that part is returned",
    failed: "it fails",
    rejected: "it is not approved",
    requested: "it stays requested",
  },
  emits: ["refund.requested", "refund.processed", "refund.rejected", "refund.failed"],
  assumptions: ["business.refund", "business.reference", "ids"],
});
