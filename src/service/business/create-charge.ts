import * as Type from "typebox";
import { coded, naira } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { amountIn } from "./fees-and-limits.js";
import { charge, viewCharge } from "./machines/charge.js";
import { newPayment } from "./machines/payment.js";
import { neededProfile } from "./save-business-profile.js";
import { Charge, customer, leastCharge, mostCharge } from "./schemas.js";

export const createCharge = operation({
  id: "createCharge",
  route: "POST /v1/business/charges",
  summary: "Create a card checkout link",
  description: "The customer's card decides what becomes of the payment.",
  auth: "key",
  body: Type.Object({
    amount: naira({
      minimum: leastCharge,
      maximum: mostCharge,
      ...coded("amount_out_of_range", `from ${leastCharge} to ${mostCharge}`),
    }),
    ...customer,
    description: Type.String({ examples: ["Order 1042"] }),
  }),
  reply: { 201: Charge },
  refuses: ["amount_out_of_range", "business_profile_required"],
  emits: ["payment.received", "payment.settled", "payment.failed"],
  assumptions: ["business.payments", "business.reference"],

  handle({ account, body: { amount, customer_name, customer_email, description } }) {
    const kobo = amountIn(amount, leastCharge * 100, mostCharge * 100);
    neededProfile(account);
    const paid = newPayment(account, { method: "card", amount: kobo, payer_name: customer_name });
    const created = account.records.start(charge, "create", {
      amount: kobo,
      customer_name,
      customer_email,
      description,
      payment_id: paid.id,
      second_step: null,
      attempts: [],
    });
    return viewCharge(created, account);
  },
});
