import * as Type from "typebox";
import { operation } from "../operation.js";
import { readAmount } from "./fees-and-limits.js";
import { charge } from "./machines/charge.js";
import { payment } from "./machines/payment.js";
import { createPayment } from "./payments.js";
import { requireProfile } from "./save-business-profile.js";
import { amountBetween, Charge, customer, maxCharge, minCharge } from "./schemas.js";

export const createCharge = operation({
  id: "createCharge",
  route: "POST /v1/business/charges",
  summary: "Create a card checkout link",
  description: "The test card that the customer uses decides the outcome of the payment.",
  auth: "key",
  body: Type.Object({
    amount: amountBetween(minCharge, maxCharge),
    ...customer,
    description: Type.String({ examples: ["Order 1042"] }),
  }),
  reply: { 201: Charge },
  refuses: ["amount_out_of_range", "amount_not_in_kobo", "business_profile_required"],
  emits: payment.events,
  assumptions: ["business.amounts", "business.payments", "business.reference", "business.cards"],

  handle({ account, body: { amount, customer_name, customer_email, description } }) {
    const kobo = readAmount(amount, minCharge, maxCharge);
    requireProfile(account);
    const paid = createPayment(account, { method: "card", amount: kobo, payer_name: customer_name });
    const created = account.records.start(charge, "create", {
      amount: kobo,
      customer_name,
      customer_email,
      description,
      payment_id: paid.id,
      second_step: null,
      attempts: [],
    });
    return charge.view(created, account);
  },
});
