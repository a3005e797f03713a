/** Events of an account, and their deliveries with the bytes that each attempt sent. */
import * as Type from "typebox";
import { findNumber, isRoundedInteger, roundedIntegerReason } from "../contract/json.js";
import { NullableTimestamp, nullable, Timestamp } from "../contract/schemas.js";
import { type EventKind, events } from "../service/webhooks/events.js";
import type { Account } from "../world/account/account.js";
import {
  attemptRequest,
  type Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  delivery,
  retryByHand,
} from "../world/webhooks/delivery.js";
import { type Endpoint, type SentEvent, sentenceOf } from "../world/webhooks/outbox.js";
import { collection, refuseUnknown } from "./collection.js";
import { operation } from "./operation.js";
import { AnyObject, ById, EventName } from "./schemas.js";

const EventSentence = nullable(Type.String(), {
  description:
    "Sentence about what happened. Null for an event that was stored by a version without sentences",
  examples: [
    "Payout of NGN 60,000.68 to Guaranty Trust Bank 0143728169 rejected; the amount is back in the balance.",
  ],
});

const EventView = Type.Object({
  id: Type.String(),
  event: EventName,
  says: EventSentence,
  created_at: Timestamp,
  data: AnyObject,
});

const TriggeredEvent = Type.Object({
  ...EventView.properties,
  hint: Type.Optional(Type.String({ description: "Only if no endpoint is registered for the event" })),
});

const view = (sent: SentEvent) => ({
  id: sent.id,
  event: sent.event as EventKind,
  says: sentenceOf(sent),
  created_at: sent.created_at,
  data: sent.data as Record<string, unknown>,
});

export const { list: listEvents, wait: waitForEvent } = collection({
  of: EventView,
  filter: { event: Type.Optional(EventName) },
  items: ({ account }) => account.outbox.events(),
  matches: ({ event }, query) => event === (query.event ?? event),
  view,
  list: { id: "listEvents", summary: "List the events of the account, newest first" },
  wait: {
    id: "waitForEvent",
    summary: "Wait for the next event that no earlier wait for this kind has returned",
    waiters: ({ outbox }) => outbox.waiters,
    take: ({ account, query }) => account.outbox.take(query.event),
    none: ({ event = "event" }) => `No new ${event} came`,
    others: ({ outbox }) => {
      const [last] = outbox.events();
      return last ? `the newest event is ${last.event}` : "there are no events yet";
    },
  },
});

export const triggerEvent = operation({
  id: "triggerEvent",
  summary: "Send an event to the account's endpoints, with example data unless data is given",
  body: Type.Object({ event: EventName, data: Type.Optional(AnyObject) }),
  reply: { 201: TriggeredEvent },
  refuses: ["validation_error"],

  handle({ account, body: { event, data: given }, refuse }) {
    const rounded = findNumber(given, isRoundedInteger, ["data"])?.join(".");
    if (rounded !== undefined)
      return refuse("validation_error", { param: rounded, message: `${rounded} ${roundedIntegerReason}.` });
    return account.commit("control", () => {
      const data = given ?? events[event].example;
      const jobId = event === "verification.completed" ? account.random.id("ver_") : undefined;
      const sent = view(account.outbox.emit(event, data, { jobId, byHand: true }));
      if (account.outbox.subscribers(event).length > 0) return sent;
      return { ...sent, hint: describeNoSubscriber(event, account.outbox.endpoints()) };
    });
  },
});

function describeNoSubscriber(event: EventKind, endpoints: readonly Endpoint[]): string {
  const reason =
    endpoints.length === 0 ? "the account has no endpoint" : "the account's endpoints take other events";
  return `Nobody receives ${event}: ${reason}. POST /v1/webhooks registers one.`;
}

const Headers = Type.Record(Type.String(), Type.String());

const DeliveryView = Type.Object({
  id: Type.String(),
  event_id: Type.String(),
  event: EventName,
  says: EventSentence,
  endpoint_id: Type.String(),
  url: Type.String(),
  status: DeliveryStatus,
  next_attempt_at: NullableTimestamp,
  rule: nullable(Type.String(), { description: "Id of the rule that changes how the delivery is sent" }),
  released_early: Type.Optional(
    Type.Literal(true, {
      description:
        "Whether it was held and then sent before anybody released it, because the held webhooks of all accounts had reached their total",
    }),
  ),
  attempts: Type.Array(
    Type.Object({ ...DeliveryAttempt.properties, request_headers: Headers, request_body: Type.String() }),
  ),
});

/** Returns a delivery with the bytes that each attempt sent, which are stored once, with the event. */
export function viewDelivery(account: Account, record: Delivery) {
  const sent = account.outbox.event(record.event_id);
  const { id, event_id, event, endpoint_id, url, next_attempt_at } = record;
  return {
    id,
    event_id,
    event: event as EventKind,
    says: sent ? sentenceOf(sent) : null,
    endpoint_id,
    url,
    status: record.state,
    next_attempt_at,
    rule: record.rule ?? null,
    ...(record.released_early ? { released_early: true as const } : {}),
    attempts: record.attempts.map((attempt, index) => {
      const { headers, body } = attemptRequest(account.outbox, record, sent?.body ?? "", index + 1);
      return { ...attempt, request_headers: headers, request_body: body };
    }),
  };
}

export const { list: listDeliveries } = collection({
  of: DeliveryView,
  filter: {
    event: Type.Optional(Type.String()),
    status: Type.Optional(DeliveryStatus),
    endpoint: Type.Optional(Type.String({ description: "Endpoint id" })),
    event_id: Type.Optional(Type.String()),
  },
  items: ({ account, query: { event_id, event, status, endpoint } }) =>
    account.records.newest(delivery, { event_id, event, state: status, endpoint_id: endpoint }),
  view: (record, { account }) => viewDelivery(account, record),
  list: { id: "listDeliveries", summary: "List the deliveries with all their attempts, newest first" },
});

export const getDelivery = operation({
  id: "getDelivery",
  summary: "Get a delivery with all its attempts",
  params: ById,
  reply: { 200: DeliveryView },
  refuses: ["resource_not_found"],
  handle: ({ account, params: { id } }) =>
    viewDelivery(account, account.records.get(delivery, id) ?? refuseUnknown("delivery", id)),
});

export const retryDelivery = operation({
  id: "retryDelivery",
  summary: "Retry a delivery, whatever its status",
  params: ById,
  reply: { 200: DeliveryView },
  refuses: ["resource_not_found"],
  handle: ({ account, params }) => viewDelivery(account, retryByHand(account, params.id)),
});
