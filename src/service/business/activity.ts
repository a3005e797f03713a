/** The activity log of the business. */

import * as Type from "typebox";
import { exactly, Timestamp } from "../../contract/schemas.js";
import { formatNaira, toKobo } from "../../world/money/money.js";
import type { SentEvent } from "../../world/webhooks/sent-event.js";
import { operation } from "../operation.js";
import { type EventKind, eventKinds } from "../webhooks/events.js";
import type { Payment, Payout, Refund, VirtualAccount } from "./resources.js";

// Interface: "Business payments"; records that webhooks also carry are in contract/resources.ts.

export type BusinessEventKind = Exclude<EventKind, "verification" | "verification.completed">;

const businessEventKinds = eventKinds.filter(
  (kind): kind is BusinessEventKind => kind !== "verification" && kind !== "verification.completed",
);

export const BusinessEvent = exactly({
  kind: Type.Enum(businessEventKinds),
  message: Type.String(),
  created_at: Timestamp,
});

type FormatEvent<T> = (data: T) => string;

const formatAmount = (naira: number): string => formatNaira(toKobo(naira) ?? 0);

const paymentEvent =
  (what: string): FormatEvent<Type.Static<typeof Payment>> =>
  ({ id, amount, method, payer_name }) =>
    `${method === "card" ? "Card payment" : "Transfer"} ${id} of ${formatAmount(amount)}${payer_name ? ` from ${payer_name}` : ""} ${what}.`;

const refundEvent =
  (what: string): FormatEvent<Type.Static<typeof Refund>> =>
  ({ reference, amount }) =>
    `Refund ${reference} of ${formatAmount(amount)} ${what}.`;

const payoutEvent =
  (what: string): FormatEvent<Type.Static<typeof Payout>> =>
  ({ reference, amount, bank_name, account_number }) =>
    `Payout ${reference} of ${formatAmount(amount)} to ${bank_name} ${account_number} ${what}.`;

const messages: Readonly<Record<BusinessEventKind, FormatEvent<never>>> = {
  "virtual_account.created": ({ account_number, customer_name }: Type.Static<typeof VirtualAccount>) =>
    `Account number ${account_number} created for ${customer_name}.`,
  "payment.received": paymentEvent("received"),
  "payment.settled": paymentEvent("settled"),
  "payment.failed": paymentEvent("failed"),
  "payment.issue": paymentEvent("held: a problem was found"),
  "payment.issue_resolved": paymentEvent("cleared: the problem is resolved"),
  "refund.requested": refundEvent("requested"),
  "refund.processed": refundEvent("processed"),
  "refund.rejected": refundEvent("rejected"),
  "refund.failed": refundEvent("failed"),
  "payout.requested": payoutEvent("requested"),
  "payout.paid": payoutEvent("paid"),
  "payout.failed": payoutEvent("failed; the amount is back in the balance"),
  "payout.rejected": payoutEvent("rejected; the amount is back in the balance"),
};

const isBusinessEvent = (kind: string): kind is BusinessEventKind =>
  (businessEventKinds as readonly string[]).includes(kind);

/**
 * Returns the business events of the list as the activity log shows them; assumption business.events. Events that
 * were triggered by hand are omitted.
 */
const viewEvents = (events: readonly SentEvent[]) =>
  events.flatMap(({ event, data, created_at, by_hand }) =>
    isBusinessEvent(event) && !by_hand
      ? [{ kind: event, message: messages[event](data as never), created_at }]
      : [],
  );

export const listBusinessEvents = operation({
  id: "listBusinessEvents",
  route: "GET /v1/business/events",
  summary: "List the activity log of the business",
  description: "The kinds are those of the webhooks.",
  auth: "key",
  reply: { 200: exactly({ events: Type.Array(BusinessEvent) }) },
  assumptions: ["lists", "business.events"],
  handle: ({ account }) => ({ events: viewEvents([...account.outbox.events()]) }),
});
