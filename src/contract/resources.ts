/**
 * The records that webhook payloads mirror (interface: "Business payments", "One-time code and identity check").
 * Money is in naira. The prefixes of ids are those of assumption ids.
 */
import * as Type from "typebox";
import { exactly, id, naira, nullable, Timestamp } from "./schemas.js";

const prefixed = (prefix: string) => id(prefix, { "x-assumption": "ids" });
const accountNumber = Type.String({ pattern: "^[0-9]{10}$" });
const reference = Type.String({
  description: "Generated if omitted",
  "x-assumption": "business.reference",
});
const ofPayments = { "x-assumption": "business.payments" };

export const VirtualAccountId = prefixed("va_");
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

/** An identity question once it has ended; the interface does not show this payload (assumption webhooks.payload). */
export const IdentityCheck = exactly(
  {
    id: prefixed("idq_"),
    kind: Type.Literal("identity"),
    status: Type.Enum(["verified", "failed", "expired"]),
    to: Type.String({ description: "Digits with country code", examples: ["2348031234567"] }),
    attempts: Type.Integer({ minimum: 0 }),
    reference: nullable(Type.String(), { description: "Echo of the caller's value" }),
    resolved_at: Timestamp,
  },
  { "x-assumption": "webhooks.payload" },
);

/** Interface: "Delivery payload (verification.completed)". */
export const CompletedVerification = exactly({
  type: Type.Enum(["address", "document", "liveness", "face_match"], {
    "x-assumption": "verification.webhooks",
  }),
  status: Type.Enum(["success", "verified", "review", "failed"], {
    description: "success for a lookup; verified, review or failed for an address check",
    "x-assumption": "verification.webhooks",
  }),
  document_type: Type.String({ examples: ["utility_bill"], "x-assumption": "verification.payload" }),
  checks: Type.Record(Type.String(), Type.Boolean(), {
    description: "Such as date_recent, address_extracted",
    "x-assumption": "verification.payload",
  }),
  extracted: Type.Record(Type.String(), Type.String(), {
    description: "Such as address, issuer, bill_date",
    "x-assumption": "verification.payload",
  }),
});
