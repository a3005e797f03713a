/** An example of `data` for each payload schema. The event catalogue sets the status of each kind. */
import type { Static } from "typebox";
import type {
  CompletedVerification,
  IdentityCheck,
  Payment,
  Payout,
  Refund,
  VirtualAccount,
} from "./resources.js";

export const completedVerification: Static<typeof CompletedVerification> = {
  type: "document",
  status: "success",
  document_type: "utility_bill",
  checks: { date_recent: true, address_extracted: true },
  extracted: { address: "12 Allen Avenue, Ikeja, Lagos", issuer: "Ikeja Electric", bill_date: "2025-01-02" },
};

export const identityCheckExample: Static<typeof IdentityCheck> = {
  id: "idq_0123456789abcdef",
  kind: "identity",
  status: "verified",
  to: "2348031234567",
  attempts: 1,
  reference: "order-1042",
  resolved_at: "2025-01-15T09:02:00.000Z",
};

export const virtualAccountExample: Static<typeof VirtualAccount> = {
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

export const paymentExample: Static<typeof Payment> = {
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

export const payoutExample: Static<typeof Payout> = {
  id: "po_0123456789abcdef",
  reference: "po-0123456789",
  status: "requested",
  amount: 7000,
  fee: 50,
  you_receive: 6950,
  bank_name: "Sandbox Bank",
  account_number: "0123456789",
};

export const refundExample: Static<typeof Refund> = {
  id: "rf_0123456789abcdef",
  reference: "rf-0123456789",
  status: "requested",
  amount: 5000,
  reason: "Returned goods",
};
