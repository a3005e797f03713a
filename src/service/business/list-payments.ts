import * as Type from "typebox";
import { exactly } from "../../contract/schemas.js";
import { collect } from "../../time/turns.js";
import { operation } from "../operation.js";
import { payment } from "./machines/payment.js";
import { Payment } from "./resources.js";

export const listPayments = operation({
  id: "listPayments",
  route: "GET /v1/business/payments",
  summary: "List payments",
  description: "Bank transfers and card payments, including those of unpaid charges.",
  auth: "key",
  query: Type.Object({
    virtual_account_id: Type.Optional(
      Type.String({ description: "Only payments to this account", examples: ["va_0123456789abcdef"] }),
    ),
    status: Type.Optional(
      Type.Enum(["success", "held", "failed"], { description: "Only payments in this status" }),
    ),
  }),
  reply: { 200: exactly({ payments: Type.Array(Payment) }) },
  assumptions: ["business.payments", "lists"],

  prepare: ({ account, query: { virtual_account_id, status } }) =>
    collect(account.records.newest(payment, { state: status }), (record) =>
      virtual_account_id === undefined || record.virtual_account_id === virtual_account_id
        ? payment.view(record)
        : undefined,
    ),

  handle: ({ prepared: payments }) => ({ payments }),
});
