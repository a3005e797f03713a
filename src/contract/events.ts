/** The event catalogue: the kinds of the interface ("Event kinds") with the `data` of their payloads. */
import * as Type from "typebox";
import {
  completedVerification,
  identityCheckExample,
  paymentExample,
  payoutExample,
  refundExample,
  virtualAccountExample,
} from "./event-examples.js";
import {
  CompletedVerification,
  IdentityCheck,
  Payment,
  Payout,
  Refund,
  VirtualAccount,
} from "./resources.js";
import { exactly } from "./schemas.js";

export interface EventContract {
  description: string;
  /** Schema of `data`. */
  data: Type.TSchema;
  /** Complete example of `data`. */
  example: Record<string, unknown>;
}

const event = <S extends Type.TSchema>(
  description: string,
  data: S,
  example: Type.Static<S> & Record<string, unknown>,
): EventContract => ({ description, data, example });

/** Returns the schema of a record that has one of these statuses. */
const withStatus = <P extends Type.TProperties>(record: Type.TObject<P>, statuses: readonly string[]) =>
  exactly({ ...record.properties, status: Type.Enum([...statuses]) });

type Statuses<Record extends Type.TSchema> = [
  example: (Type.Static<Record> & { status: string })["status"],
  ...others: (Type.Static<Record> & { status: string })["status"][],
];

const paymentEvent = (description: string, ...statuses: Statuses<typeof Payment>) =>
  event(description, withStatus(Payment, statuses), { ...paymentExample, status: statuses[0] });

const refundEvent = (description: string, ...statuses: Statuses<typeof Refund>) =>
  event(description, withStatus(Refund, statuses), { ...refundExample, status: statuses[0] });

const payoutEvent = (description: string, ...statuses: Statuses<typeof Payout>) =>
  event(description, withStatus(Payout, statuses), { ...payoutExample, status: statuses[0] });

const catalogueOf = <Kind extends string>(
  contracts: Record<Kind, EventContract>,
): Record<Kind, EventContract> => contracts;

/** Every event kind, in the order of the interface. */
export const events = catalogueOf({
  "verification.completed": event(
    "An address check has a result, or an asynchronous verification is complete",
    CompletedVerification,
    completedVerification,
  ),
  verification: event("An identity question has ended", IdentityCheck, identityCheckExample),
  "virtual_account.created": event("A virtual account was created", VirtualAccount, virtualAccountExample),
  "payment.received": paymentEvent(
    "A payment succeeded; its amount less the fee has been added to the balance",
    "success",
  ),
  "payment.settled": paymentEvent("The money of a payment is available for payouts", "success"),
  "payment.failed": {
    ...paymentEvent("A payment failed", "failed"),
    example: { ...paymentExample, method: "card", status: "failed", virtual_account_id: null, paid_at: null },
  },
  "payment.issue": paymentEvent(
    "A problem was found on a payment, which is held until it is resolved",
    "held",
  ),
  "payment.issue_resolved": paymentEvent("The problem found on a payment is resolved", "success", "held"),
  "refund.requested": refundEvent("A refund was requested", "requested"),
  "refund.processed": refundEvent(
    "A refund was approved; its amount was taken off the balance and the fee on it was returned",
    "processed",
  ),
  "refund.rejected": refundEvent("A refund was not approved", "rejected"),
  "refund.failed": refundEvent("A refund failed", "failed"),
  "payout.requested": payoutEvent("A payout was requested", "requested"),
  "payout.paid": payoutEvent("A payout was paid", "paid"),
  "payout.failed": payoutEvent("A payout failed; its amount was returned to the balance", "failed"),
  "payout.rejected": payoutEvent("A payout was declined; its amount was returned to the balance", "rejected"),
});
export type EventKind = keyof typeof events;

export const eventKinds: readonly EventKind[] = Object.keys(events) as EventKind[];
