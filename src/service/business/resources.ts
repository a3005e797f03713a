/**
 * The records that replies and webhook payloads show (interface: "Business payments"), with an example of each. Money is in
 * naira. Assumption `ids` gives the prefixes of ids.
 */

import * as Type from "typebox";
import { exactly, type IdPrefix, id, naira, nullable, Timestamp } from "../../contract/schemas.js";

const prefixed = (prefix: IdPrefix) => id(prefix, { "x-assumption": "ids" });
const accountNumber = Type.String({ pattern: "^[0-9]{10}$" });
const reference = Type.String({
  description: "Generated if omitted",
  "x-assumption": "business.reference",
});
const ofPayments = { "x-assumption": "business.payments" };

const VirtualAccountId = prefixed("va_");
export const PaymentId = prefixed("pay_");

export const VirtualAccount = exactly({
  id: VirtualAccountId,
  reference,
  account_number: accountNumber,
  bank_name: Type.String(),
  account_name: Type.String(),
  customer_name: Type.String(),
  customer_email: Type.String(),
  test: Type.Boolean(),
  active: Type.Boolean(),
  created_at: Timestamp,
});

export const PaymentStatus = Type.Enum(["pending", "success", "held", "failed"]);

export const Payment = exactly({
  id: PaymentId,
  method: Type.Enum(["transfer", "card"], ofPayments),
  status: PaymentStatus,
  amount: naira(),
  fee: naira(),
  net: naira({ description: "NGN, amount less fee" }),
  payer_name: nullable(Type.String(), { description: "Name of the payer; null if unknown", ...ofPayments }),
  virtual_account_id: nullable(VirtualAccountId, { description: "null for a card payment", ...ofPayments }),
  test: Type.Boolean(),
  paid_at: nullable(Timestamp, { description: "null until paid", ...ofPayments }),
});

export const Payout = exactly({
  id: prefixed("po_"),
  reference,
  status: Type.Enum(["requested", "paid", "failed", "rejected"]),
  amount: naira(),
  fee: naira({ "x-assumption": "business.payout" }),
  you_receive: naira({ description: "NGN, amount less fee", "x-assumption": "business.payout" }),
  bank_name: Type.String(),
  account_number: accountNumber,
});

export const Refund = exactly({
  id: prefixed("rf_"),
  reference,
  status: Type.Enum(["requested", "processed", "rejected", "failed"]),
  amount: naira(),
  reason: Type.String(),
});

export const virtualAccountExample: Type.Static<typeof VirtualAccount> = {
  id: "va_0123456789abcdef",
  reference: "customer-77",
  account_number: "9900000017",
  bank_name: "Sandbox Bank",
  account_name: "Ada Stores / Chidi Obi",
  customer_name: "Chidi Obi",
  customer_email: "chidi@example.com",
  test: true,
  active: true,
  created_at: "2025-01-15T09:00:00.000Z",
};

export const paymentExample: Type.Static<typeof Payment> = {
  id: "pay_0123456789abcdef",
  method: "transfer",
  status: "success",
  amount: 20000,
  fee: 200,
  net: 19800,
  payer_name: "Chidi Obi",
  virtual_account_id: virtualAccountExample.id,
  test: true,
  paid_at: "2025-01-15T09:00:00.000Z",
};

export const payoutExample: Type.Static<typeof Payout> = {
  id: "po_0123456789abcdef",
  reference: "po-0123456789",
  status: "requested",
  amount: 7000,
  fee: 50,
  you_receive: 6950,
  bank_name: "Sandbox Bank",
  account_number: "0123456789",
};

export const refundExample: Type.Static<typeof Refund> = {
  id: "rf_0123456789abcdef",
  reference: "rf-0123456789",
  status: "requested",
  amount: 5000,
  reason: "Returned goods",
};
