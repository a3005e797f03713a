/** Interface: "Business payments"; the records that webhooks mirror are in contract/resources.ts. */
import * as Type from "typebox";
import { type EventKind, eventKinds } from "../../contract/events.js";
import { PaymentId, PaymentStatus, VirtualAccount } from "../../contract/resources.js";
import { coded, exactly, naira, notBlank, nullable, Timestamp } from "../../contract/schemas.js";

export const leastCharge = 100;
export const mostCharge = 5_000_000;

/** Kobo; assumption business.transfers. */
export const leastTransfer = 100_00;
export const mostTransfer = 1_000_000_000_00;

const ofPayout = { "x-assumption": "business.payout" };

/** An amount that a request asks for. */
export const Amount = naira({ exclusiveMinimum: 0, ...coded("amount_out_of_range", "more than 0") });

/** Who pays: the fields that virtual accounts and charges share. */
export const customer = {
  customer_name: Type.String({ ...notBlank, examples: ["Chidi Obi"] }),
  customer_email: Type.String({ format: "email", examples: ["chidi@example.com"] }),
};

export const Overview = exactly({
  status: Type.Enum(["setup_required", "active"], { "x-assumption": "business.status" }),
  business_verified: Type.Boolean(),
  limit: naira({ description: "NGN that may be received until the business is verified" }),
  received: naira({ "x-assumption": "business.payments" }),
  remaining: nullable(naira(), { description: "NGN; null once verified" }),
  balance: naira(),
  available: naira({ description: "NGN that can be paid out", ...ofPayout }),
  pending: naira({ description: "NGN received in the last 24 hours", ...ofPayout }),
  held: naira(),
  fees_charged: naira({ "x-assumption": "business.payments" }),
  fees: exactly({
    flat: naira({ description: "NGN a payment below percent_from" }),
    percent_from: naira({ description: "NGN from which percent applies" }),
    percent: Type.Number({ description: "Percent of the amount" }),
  }),
  live: Type.Boolean(),
});

/** What is saved is what was sent. */
export const businessProfile = {
  business_name: Type.String({ ...notBlank, examples: ["Ada Stores"] }),
  business_type: Type.Enum(["registered", "individual"]),
  contact_phone: Type.String({
    ...coded("invalid_phone", "a local number starting with 0, or E.164"),
    examples: ["+2348031234567"],
  }),
};

export const BusinessProfile = exactly(businessProfile);

export const VirtualAccountInList = exactly({
  ...VirtualAccount.properties,
  payments: Type.Integer({ minimum: 0, description: "Number of payments" }),
  total_received: naira(),
});

export const Charge = exactly({
  reference: Type.String({ "x-assumption": "business.reference" }),
  checkout_url: Type.String({ format: "uri", description: "Where the customer pays by card" }),
  payment: exactly({ status: PaymentStatus, amount: naira() }),
});

export const SimulatedPayment = exactly({ status: PaymentStatus, payment_id: PaymentId });

export const PayoutAccount = exactly(
  {
    bank_code: Type.String(),
    bank_name: Type.String(),
    account_number: Type.String(),
    account_name: Type.String({ description: "As the bank has it" }),
    updated_at: Timestamp,
  },
  { "x-assumption": "business.payout_account" },
);

export type BusinessEventKind = Exclude<EventKind, "verification" | "verification.completed">;

export const businessEventKinds = eventKinds.filter(
  (kind): kind is BusinessEventKind => kind !== "verification" && kind !== "verification.completed",
);

export const BusinessEvent = exactly({
  kind: Type.Enum(businessEventKinds),
  message: Type.String(),
  created_at: Timestamp,
});
