import * as Type from "typebox";
import { operation } from "../operation.js";
import { Amount, SimulatedPayment } from "./schemas.js";

export const simulatePayment = operation({
  id: "simulatePayment",
  route: "POST /v1/business/test/simulate-payment",
  summary: "Simulate a transfer to a virtual account",
  auth: "key",
  testModeOnly: true,
  body: Type.Object({
    virtual_account_id: Type.String({ examples: ["va_0123456789abcdef"] }),
    amount: Amount,
  }),
  reply: { 200: SimulatedPayment },
  refuses: ["amount_out_of_range", "resource_not_found", "invalid_state"],
  outcomes: {
    success: "the payment succeeds; above the receive limit it is held",
    failed: "the payment fails",
    held: "the payment is held, as above the receive limit",
    issue: "a problem is found on the payment: payment.issue, held until it is resolved",
    pending: "the payment stays pending",
  },
  emits: ["payment.received", "payment.settled", "payment.failed", "payment.issue", "payment.issue_resolved"],
  assumptions: ["business.payments"],
});
