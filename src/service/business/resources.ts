/**
 * The records that replies and webhook payloads show (interface: "Business payments"), and their references. Money is in
 * naira. Assumption `ids` gives the prefixes of ids.
 */

import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { exactly, type IdPrefix, id, naira, nullable, Timestamp } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import { table } from "../../world/store/table.js";

const prefixed = (prefix: IdPrefix) => id(prefix, { "x-assumption": "ids" });
/** Returns the annotation of a field with its value in the examples of webhooks. */
const webhookExample = (value: string | number) => ({ "x-example": value });
const accountNumber = { pattern: "^[0-9]{10}$" };
const reference = { description: "Generated if omitted", "x-assumption": "business.reference" };
const ofPayments = { "x-assumption": "business.payments" };
const ofPayouts = { "x-assumption": "business.payout" };

const VirtualAccountId = prefixed("va_");
export const PaymentId = prefixed("pay_");

export const VirtualAccount = exactly({
  id: VirtualAccountId,
  reference: Type.String({ ...reference, ...webhookExample("customer-77") }),
  account_number: Type.String({ ...accountNumber, ...webhookExample("9900000017") }),
  bank_name: Type.String(webhookExample("Sandbox Bank")),
  account_name: Type.String(webhookExample("Ada Stores / Chidi Obi")),
  customer_name: Type.String(webhookExample("Chidi Obi")),
  customer_email: Type.String(webhookExample("chidi@example.com")),
  test: Type.Boolean(),
  active: Type.Boolean(),
  created_at: Timestamp,
});

export const PaymentStatus = Type.Enum(["pending", "success", "held", "failed"]);

export const Payment = exactly({
  id: PaymentId,
  method: Type.Enum(["transfer", "card"], ofPayments),
  status: PaymentStatus,
  amount: naira(webhookExample(20_000)),
  fee: naira(webhookExample(200)),
  net: naira({ description: "NGN, amount less fee", ...webhookExample(19_800) }),
  payer_name: nullable(Type.String(), {
    description: "Name of the payer; null if unknown",
    ...ofPayments,
    ...webhookExample("Chidi Obi"),
  }),
  virtual_account_id: nullable(VirtualAccountId, { description: "null for a card payment", ...ofPayments }),
  test: Type.Boolean(),
  paid_at: nullable(Timestamp, { description: "null until paid", ...ofPayments }),
});

export const Payout = exactly({
  id: prefixed("po_"),
  reference: Type.String({ ...reference, ...webhookExample("po-0123456789") }),
  status: Type.Enum(["requested", "paid", "failed", "rejected"]),
  amount: naira(webhookExample(7_000)),
  fee: naira({ ...ofPayouts, ...webhookExample(50) }),
  you_receive: naira({ description: "NGN, amount less fee", ...ofPayouts, ...webhookExample(6_950) }),
  bank_name: Type.String(webhookExample("Sandbox Bank")),
  account_number: Type.String(accountNumber),
});

export const Refund = exactly({
  id: prefixed("rf_"),
  reference: Type.String({ ...reference, ...webhookExample("rf-0123456789") }),
  status: Type.Enum(["requested", "processed", "rejected", "failed"]),
  amount: naira(webhookExample(5_000)),
  reason: Type.String(webhookExample("Returned goods")),
});

// Unique references of virtual accounts, payouts and refunds; assumptions business.reference and
// business.reference_reuse.

/** References in use, with the prefix of their kind. */
const references = table<{ taken_at: string }>("business_references");

export const isReferenceTaken = (account: Account, prefix: string, reference: string): boolean =>
  account.state.has(references, `${prefix}:${reference}`);

/**
 * Reserves the given reference, or a generated one such as `po-k3v9x2m7qa`. Refuses a reference that is in use with
 * 409. Call inside a commit.
 */
export function takeReference(account: Account, prefix: string, given?: string): string {
  const reference = given ?? `${prefix}-${account.random.letters(10)}`;
  if (isReferenceTaken(account, prefix, reference)) {
    const message = `${JSON.stringify(reference.slice(0, 60))} is already in use; references must be unique.`;
    return refuse("duplicate_reference", { param: "reference", message });
  }
  account.state.put(references, `${prefix}:${reference}`, { taken_at: account.clock.iso() });
  return reference;
}
