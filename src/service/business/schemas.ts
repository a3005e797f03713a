/** Interface: "Business payments"; records that webhooks also carry are in contract/resources.ts. */
import * as Type from "typebox";
import { coded, exactly, naira, notBlank, nullable, Timestamp } from "../../contract/schemas.js";
import { formatNaira, type Kobo, toNaira } from "../../world/money/money.js";
import { fixedTable } from "../../world/store/table.js";
import { PhoneNumber } from "../numbers.js";
import { type EventKind, eventKinds } from "../webhooks/events.js";
import { PaymentId, PaymentStatus, VirtualAccount } from "./resources.js";

/** In kobo (interface: "Limits"). */
export const minCharge: Kobo = 100_00;
export const maxCharge: Kobo = 5_000_000_00;

/** In kobo; assumption business.transfers. */
export const minTransfer: Kobo = 1;
export const maxTransfer: Kobo = 1_000_000_000_00;

const payoutAssumption = { "x-assumption": "business.payout" };

/** Returns the schema of a requested amount, with its limits in kobo. `readAmount` also refuses fractions of a kobo. */
export const amountBetween = (min: Kobo, max: Kobo) =>
  naira({
    minimum: toNaira(min),
    maximum: toNaira(max),
    description: "NGN, with at most two decimals",
    examples: [5000],
    ...coded("amount_out_of_range", describeRange(min, max)),
  });

/** Completes the sentence "amount must be ...". */
export const describeRange = (min: Kobo, max: Kobo): string =>
  `from ${formatNaira(min)} to ${formatNaira(max)}, with at most two decimals`;

/** The customer fields that virtual accounts and charges share. */
export const customer = {
  customer_name: Type.String({ ...notBlank, examples: ["Chidi Obi"] }),
  customer_email: Type.String({ format: "email", examples: ["chidi@example.com"] }),
};

export const Overview = exactly({
  status: Type.Enum(["setup_required", "active"], { "x-assumption": "business.status" }),
  business_verified: Type.Boolean(),
  limit: naira({ description: "NGN that may be received before the business is verified" }),
  received: naira({ "x-assumption": "business.payments" }),
  remaining: nullable(naira(), { description: "NGN; null once verified" }),
  balance: naira(),
  available: naira({ description: "NGN available for payouts", ...payoutAssumption }),
  pending: naira({ description: "NGN received in the last 24 hours", ...payoutAssumption }),
  held: naira({ description: "NGN, gross amount of held payments", "x-assumption": "business.payments" }),
  fees_charged: naira({ "x-assumption": "business.payments" }),
  fees: exactly({
    flat: naira({ description: "NGN per payment below percent_from" }),
    percent_from: naira({ description: "NGN from which percent applies instead" }),
    percent: Type.Number({ description: "Percent of the amount" }),
  }),
  live: Type.Boolean(),
});

/** The saved profile equals the request. */
export const businessProfile = {
  business_name: Type.String({ ...notBlank, examples: ["Ada Stores"] }),
  business_type: Type.Enum(["registered", "individual"]),
  contact_phone: PhoneNumber,
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
    account_name: Type.String({ description: "Account name at the bank" }),
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

/** Profile that the merchant has saved. */
export const businessRecords = fixedTable<{
  profile: Type.Static<typeof BusinessProfile>;
  payout_account: Type.Static<typeof PayoutAccount>;
}>("business");
