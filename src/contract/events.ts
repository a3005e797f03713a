/** The sixteen event kinds of the interface ("Event kinds") and what their payloads hold; assumption webhooks.payload. */
import * as Type from "typebox";
import type { Assumptions } from "./assumptions.js";
import {
  completedVerification,
  identityCheck,
  payment,
  payout,
  refund,
  virtualAccount,
} from "./event-examples.js";
import {
  CompletedVerification,
  IdentityCheck,
  Payment,
  Payout,
  Refund,
  VirtualAccount,
} from "./resources.js";
import { exactly, id, Timestamp } from "./schemas.js";

export const eventKinds = [
  "verification.completed",
  "verification",
  "virtual_account.created",
  "payment.received",
  "payment.settled",
  "payment.failed",
  "payment.issue",
  "payment.issue_resolved",
  "refund.requested",
  "refund.processed",
  "refund.rejected",
  "refund.failed",
  "payout.requested",
  "payout.paid",
  "payout.failed",
  "payout.rejected",
] as const;
export type EventKind = (typeof eventKinds)[number];

export interface EventContract {
  description: string;
  /** Schema of the payload's `data`. */
  data: Type.TSchema;
  /** A full example of `data`. */
  example: Record<string, unknown>;
}

const event = <S extends Type.TSchema>(
  description: string,
  data: S,
  example: Type.Static<S> & Record<string, unknown>,
): EventContract => ({ description, data, example });

const paymentEvent = (description: string, status: Type.Static<typeof Payment>["status"]) =>
  event(description, Payment, { ...payment, status });

const refundEvent = (description: string, status: Type.Static<typeof Refund>["status"]) =>
  event(description, Refund, { ...refund, status });

const payoutEvent = (description: string, status: Type.Static<typeof Payout>["status"]) =>
  event(description, Payout, { ...payout, status });

export const events: Record<EventKind, EventContract> = {
  "verification.completed": event(
    "An address check has a result, or an asynchronous verification is done",
    CompletedVerification,
    completedVerification,
  ),
  verification: event("An identity question has ended", IdentityCheck, identityCheck),
  "virtual_account.created": event("A virtual account was created", VirtualAccount, virtualAccount),
  "payment.received": paymentEvent(
    "A payment succeeded; the money less the fee is in the balance",
    "success",
  ),
  "payment.settled": paymentEvent("The money of a payment can be paid out", "success"),
  "payment.failed": {
    ...paymentEvent("A payment failed", "failed"),
    example: { ...payment, method: "card", status: "failed", virtual_account_id: null, paid_at: null },
  },
  "payment.issue": paymentEvent(
    "A problem was found on a payment; it is held until that is resolved",
    "held",
  ),
  "payment.issue_resolved": paymentEvent("The problem found on a payment is resolved", "success"),
  "refund.requested": refundEvent("A refund was requested", "requested"),
  "refund.processed": refundEvent(
    "A refund was approved; it is off the balance, and its part of the fee is back",
    "processed",
  ),
  "refund.rejected": refundEvent("A refund was not approved", "rejected"),
  "refund.failed": refundEvent("A refund failed", "failed"),
  "payout.requested": payoutEvent("A payout was requested", "requested"),
  "payout.paid": payoutEvent("A payout was paid", "paid"),
  "payout.failed": payoutEvent("A payout failed; the amount is back in the balance", "failed"),
  "payout.rejected": payoutEvent("A payout was declined; the amount is back in the balance", "rejected"),
};

const assumed = { "x-assumption": "webhooks.payload" };

function writePayloadSchema(kind: EventKind): Type.TSchema {
  const { data } = events[kind];
  if (kind === "verification.completed") {
    return exactly({ event: Type.Literal(kind), job_id: id("ver_"), created_at: Timestamp, data });
  }
  return exactly(
    { id: id("evt_"), event: Type.Literal(kind), created_at: Timestamp, is_test: Type.Boolean(), data },
    assumed,
  );
}

/** Switch `bare` of assumption webhooks.payload. */
const writeBareSchema = (kind: EventKind): Type.TSchema =>
  exactly({ event: Type.Literal(kind), created_at: Timestamp, data: events[kind].data }, assumed);

const payloads = new Map(eventKinds.map((kind) => [kind, writePayloadSchema(kind)]));

/** The whole body of a delivery of this kind; under the defaults unless it is said what is in force. */
export function payloadSchema(kind: EventKind, inForce?: Assumptions): Type.TSchema {
  const isBare = inForce?.["webhooks.payload"] === "bare" && kind !== "verification.completed";
  if (isBare) return writeBareSchema(kind);
  return payloads.get(kind) as Type.TSchema;
}
