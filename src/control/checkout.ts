import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { testCards } from "../service/business/cards.js";
import { payCharge } from "../service/business/checkout.js";
import { Payment } from "../service/business/resources.js";
import { operation } from "./operation.js";

export const payCheckout = operation({
  id: "payCheckout",
  route: controlRoutes.payCheckout,
  summary: "Pay at the checkout as the customer, with a test card or by answering its second step",
  auth: "control",
  params: Type.Object({ reference: Type.String() }),
  body: Type.Object({
    // Not validated, so that no error message repeats what may be a real card number.
    card: Type.Optional(
      Type.Unknown({ description: "Number of a test card", examples: testCards.map(({ number }) => number) }),
    ),
    second_step: Type.Optional(Type.Unknown({ description: "approve or decline" })),
  }),
  reply: {
    200: Type.Object({
      reference: Type.String(),
      result: Type.Enum(["paid", "second_step", "declined"]),
      decline_code: Type.Union([
        Type.Enum(["card_declined", "insufficient_funds", "expired_card", "authentication_failed"]),
        Type.Null(),
      ]),
      message: Type.String(),
      payment: Payment,
    }),
  },
  refuses: ["resource_not_found", "invalid_state", "validation_error"],
  handle: ({ account, params, body }) => payCharge(account, params.reference, body, "page"),
});
