/** The event catalogue: the kinds of the interface ("Event kinds") with the `data` of their payloads. */

import * as Type from "typebox";
import { formatNaira, toKobo } from "../../contract/money.js";
import { exampleOf, type JsonSchema, toJsonSchema } from "../../contract/schema-walk.js";
import { exactly, id, nullable, Timestamp } from "../../contract/schemas.js";
import type { Assumptions } from "../assumptions.js";
import { Payment, Payout, Refund, VirtualAccount } from "../business/resources.js";

/** An identity question once it has ended; the interface does not show this payload (assumption webhooks.payload). */
export const EndedIdentityCheck = exactly(
  {
    id: id("idq_", { "x-assumption": "ids" }),
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

const completedVerification: Type.Static<typeof CompletedVerification> = {
  type: "document",
  status: "success",
  document_type: "utility_bill",
  checks: { date_recent: true, address_extracted: true },
  extracted: { address: "12 Allen Avenue, Ikeja, Lagos", issuer: "Ikeja Electric", bill_date: "2025-01-02" },
};

const endedIdentityCheck = {
  attempts: 1,
  reference: "order-1042",
  resolved_at: "2025-01-15T09:02:00.000Z",
};

export interface EventContract {
  description: string;
  /** Schema of `data`. */
  data: Type.TSchema;
  /** Complete example of `data`. */
  example: Record<string, unknown>;
  /** Formats what has happened, for the activity log of the business. Omitted for events that it does not list. */
  message?(data: never): string;
}

/** When the records of the examples were created and paid. */
const exampleTime = "2025-01-15T09:00:00.000Z";
const exampleValue = (field: string, schema: JsonSchema): unknown =>
  field.endsWith("_at") ? exampleTime : schema["x-example"];

/** Returns an event. Its example is derived from the schema, except for the given fields. */
const event = <S extends Type.TSchema>(
  description: string,
  data: S,
  message?: ((data: Type.Static<S>) => string) | null,
  given?: Partial<Type.Static<S>>,
): EventContract => ({
  description,
  data,
  example: { ...(exampleOf(toJsonSchema(data), { valueFor: exampleValue }) as object), ...given },
  ...(message && { message }),
});

const formatAmount = (naira: number): string => formatNaira(toKobo(naira) ?? 0);

/** Returns the schema of a record that has one of these statuses. */
const withStatus = <P extends Type.TProperties>(record: Type.TObject<P>, statuses: readonly string[]) =>
  exactly({ ...record.properties, status: Type.Enum([...statuses]) });

type StatusOf<Record extends Type.TSchema> = (Type.Static<Record> & { status: string })["status"];

/** Returns an event about a payment. `what` is the end of its message in the activity log. */
const paymentEvent = (description: string, what: string, ...statuses: StatusOf<typeof Payment>[]) =>
  event(
    description,
    withStatus(Payment, statuses),
    ({ id, amount, method, payer_name }) =>
      `${method === "card" ? "Card payment" : "Transfer"} ${id} of ${formatAmount(amount)}${payer_name ? ` from ${payer_name}` : ""} ${what}.`,
  );

const refundEvent = (description: string, what: string, ...statuses: StatusOf<typeof Refund>[]) =>
  event(
    description,
    withStatus(Refund, statuses),
    ({ reference, amount }) => `Refund ${reference} of ${formatAmount(amount)} ${what}.`,
  );

const payoutEvent = (description: string, what: string, ...statuses: StatusOf<typeof Payout>[]) =>
  event(
    description,
    withStatus(Payout, statuses),
    ({ reference, amount, bank_name, account_number }) =>
      `Payout ${reference} of ${formatAmount(amount)} to ${bank_name} ${account_number} ${what}.`,
  );

const failedPayment = paymentEvent("A payment failed", "failed", "failed");

const catalogueOf = <Kind extends string>(
  contracts: Record<Kind, EventContract>,
): Record<Kind, EventContract> => contracts;

/** Every event kind, in the order of the interface. */
export const events = catalogueOf({
  "verification.completed": event(
    "An address check has a result, or an asynchronous verification is complete",
    CompletedVerification,
    null,
    completedVerification,
  ),
  verification: event("An identity question has ended", EndedIdentityCheck, null, endedIdentityCheck),
  "virtual_account.created": event(
    "A virtual account was created",
    VirtualAccount,
    ({ account_number, customer_name }) => `Account number ${account_number} created for ${customer_name}.`,
  ),
  "payment.received": paymentEvent(
    "A payment succeeded; its amount less the fee has been added to the balance",
    "received",
    "success",
  ),
  "payment.settled": paymentEvent("The money of a payment is available for payouts", "settled", "success"),
  "payment.failed": {
    ...failedPayment,
    example: { ...failedPayment.example, method: "card", virtual_account_id: null, paid_at: null },
  },
  "payment.issue": paymentEvent(
    "A problem was found on a payment, which is held until it is resolved",
    "held: a problem was found",
    "held",
  ),
  "payment.issue_resolved": paymentEvent(
    "The problem found on a payment is resolved",
    "cleared: the problem is resolved",
    "success",
    "held",
  ),
  "refund.requested": refundEvent("A refund was requested", "requested", "requested"),
  "refund.processed": refundEvent(
    "A refund was approved; its amount was taken off the balance and the fee on it was returned",
    "processed",
    "processed",
  ),
  "refund.rejected": refundEvent("A refund was not approved", "rejected", "rejected"),
  "refund.failed": refundEvent("A refund failed", "failed", "failed"),
  "payout.requested": payoutEvent("A payout was requested", "requested", "requested"),
  "payout.paid": payoutEvent("A payout was paid", "paid", "paid"),
  "payout.failed": payoutEvent(
    "A payout failed; its amount was returned to the balance",
    "failed; the amount is back in the balance",
    "failed",
  ),
  "payout.rejected": payoutEvent(
    "A payout was declined; its amount was returned to the balance",
    "rejected; the amount is back in the balance",
    "rejected",
  ),
});
export type EventKind = keyof typeof events;

export const eventKinds: readonly EventKind[] = Object.keys(events) as EventKind[];

// Schemas of webhook payloads; assumption webhooks.payload.

const assumed = { "x-assumption": "webhooks.payload" };

function extendedSchema(kind: EventKind): Type.TSchema {
  const { data } = events[kind];
  if (kind === "verification.completed") {
    return exactly({ event: Type.Literal(kind), job_id: id("ver_"), created_at: Timestamp, data });
  }
  return exactly(
    { id: id("evt_"), event: Type.Literal(kind), created_at: Timestamp, is_test: Type.Boolean(), data },
    assumed,
  );
}

/** Returns the schema under `webhooks.payload=bare`. */
const bareSchema = (kind: EventKind): Type.TSchema =>
  exactly({ event: Type.Literal(kind), created_at: Timestamp, data: events[kind].data }, assumed);

const payloads = new Map(eventKinds.map((kind) => [kind, extendedSchema(kind)]));

/** Returns the schema of the body of a delivery. `inForce` defaults to the default assumptions. */
export function payloadSchema(kind: EventKind, inForce?: Assumptions): Type.TSchema {
  const isBare = inForce?.["webhooks.payload"] === "bare" && kind !== "verification.completed";
  if (isBare) return bareSchema(kind);
  return payloads.get(kind) as Type.TSchema;
}
