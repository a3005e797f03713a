import * as Type from "typebox";
import { requireRecord } from "../account-records.js";
import { operation } from "../operation.js";
import { testAmountOutcome } from "../test-values.js";
import { readAmount } from "./fees-and-limits.js";
import { payment } from "./machines/payment.js";
import { virtualAccount } from "./machines/virtual-account.js";
import { createPayment } from "./payments.js";
import { requireProfile } from "./save-business-profile.js";
import { amountBetween, maxTransfer, minTransfer, SimulatedPayment } from "./schemas.js";

const outcomes = {
  success: "the payment succeeds; above the receive limit it is held",
  failed: "the payment fails",
  held: "the payment is held, as above the receive limit",
  issue: "a problem is found on the payment: payment.issue, and held until it is resolved",
  pending: "the payment stays pending",
};

const moves = { success: "succeed", failed: "fail", held: "hold", issue: "raise_issue" } as const;

export const simulatePayment = operation({
  id: "simulatePayment",
  route: "POST /v1/business/test/simulate-payment",
  summary: "Simulate a transfer to a virtual account",
  description: "Test keys only. The payment settles after 24 hours, like a real one.",
  auth: "key",
  testModeOnly: true,
  body: Type.Object({
    virtual_account_id: Type.String({ examples: ["va_0123456789abcdef"] }),
    amount: amountBetween(minTransfer, maxTransfer),
  }),
  reply: { 200: SimulatedPayment },
  refuses: [
    "amount_out_of_range",
    "amount_not_in_kobo",
    "resource_not_found",
    "business_profile_required",
    "invalid_state",
  ],
  outcomes,
  emits: payment.events,
  assumptions: ["business.amounts", "business.payments", "business.transfers"],

  testValue: ({ body }) => testAmountOutcome("simulatePayment", body.amount),

  handle(call) {
    const { account, body, decision, refuse } = call;
    const amount = readAmount(body.amount, minTransfer, maxTransfer);
    requireProfile(account);
    const to = requireRecord(account, virtualAccount, {
      id: body.virtual_account_id,
      param: "virtual_account_id",
      noun: "virtual account",
      hint: "use the id returned by POST /v1/business/virtual-accounts",
    });
    if (to.state !== "active") {
      const message = `${to.id} is deactivated and accepts no payments; reactivate it with the move activate.`;
      refuse("invalid_state", { param: "virtual_account_id", message });
    }
    const fields = {
      method: "transfer",
      amount,
      payer_name: to.customer_name,
      virtual_account_id: to.id,
    } as const;
    const made = createPayment(account, fields);
    if (call.outcome !== "pending") account.records.move(payment, made, moves[call.outcome]);
    const { id, status } = payment.view(made);
    if (decision.by === "default" && status === "held") decision.outcome = status;
    return { status, payment_id: id };
  },
});
