import * as Type from "typebox";
import type { EventKind } from "../contract/events.js";
import { NullableTimestamp, nullable } from "../contract/schemas.js";
import { attemptRequest } from "../webhooks/attempt-request.js";
import { findDelivery, retryByHand } from "../webhooks/deliver.js";
import type { Account } from "../world/account.js";
import type { Stored } from "../world/machine.js";
import { DeliveryAttempt, type DeliveryFields, delivery } from "../world/outbox/delivery.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { listPage, paging } from "./paging.js";
import { ById, EventName, items } from "./schemas.js";

const Headers = Type.Record(Type.String(), Type.String());
const Status = Type.Enum(["pending", "succeeded", "failed"]);

const DeliveryView = Type.Object({
  id: Type.String(),
  event_id: Type.String(),
  event: EventName,
  endpoint_id: Type.String(),
  url: Type.String(),
  status: Status,
  next_attempt_at: NullableTimestamp,
  rule: nullable(Type.String(), { description: "Id of the rule that changes how the delivery is sent" }),
  attempts: Type.Array(
    Type.Object({ ...DeliveryAttempt.properties, request_headers: Headers, request_body: Type.String() }),
  ),
});

/** Returns a delivery with the bytes that each attempt sent, which are stored once, with the event. */
export function viewDelivery(
  account: Account,
  record: Stored<DeliveryFields>,
  { extendedWebhookHeaders }: ControlledSandbox,
) {
  const genuine = account.outbox.event(record.event_id)?.body ?? "";
  const { id, event_id, event, endpoint_id, url, next_attempt_at } = record;
  return {
    id,
    event_id,
    event: event as EventKind,
    endpoint_id,
    url,
    status: record.state as Type.Static<typeof Status>,
    next_attempt_at,
    rule: record.rule ?? null,
    attempts: record.attempts.map((attempt, index) => {
      const sent = attemptRequest(account, record, genuine, index + 1, extendedWebhookHeaders);
      return { ...attempt, request_headers: sent.headers, request_body: sent.body };
    }),
  };
}

export const listDeliveries = operation({
  id: "listDeliveries",
  route: "GET /_sandbox/deliveries",
  summary: "List the deliveries with all their attempts, newest first",
  auth: "control",
  query: Type.Object({
    event: Type.Optional(Type.String()),
    status: Type.Optional(Status),
    endpoint: Type.Optional(Type.String({ description: "Endpoint id" })),
    event_id: Type.Optional(Type.String()),
    ...paging,
  }),
  reply: { 200: items(DeliveryView) },
  refuses: ["validation_error"],

  handle: ({ account, query, sandbox }) =>
    listPage(
      account.records.newest(delivery, query.event_id),
      query,
      (record) => viewDelivery(account, record, sandbox),
      ({ event_id, event, state, endpoint_id }) =>
        event_id === (query.event_id ?? event_id) &&
        event === (query.event ?? event) &&
        state === (query.status ?? state) &&
        endpoint_id === (query.endpoint ?? endpoint_id),
    ),
});

export const getDelivery = operation({
  id: "getDelivery",
  route: "GET /_sandbox/deliveries/{id}",
  summary: "Get a delivery with all its attempts",
  auth: "control",
  params: ById,
  reply: { 200: DeliveryView },
  refuses: ["resource_not_found"],
  handle: ({ account, params, sandbox }) => viewDelivery(account, findDelivery(account, params.id), sandbox),
});

export const retryDelivery = operation({
  id: "retryDelivery",
  route: "POST /_sandbox/deliveries/{id}/retry",
  summary: "Retry a delivery, whatever its status",
  auth: "control",
  params: ById,
  reply: { 200: DeliveryView },
  refuses: ["resource_not_found"],
  handle: ({ account, params, sandbox }) => viewDelivery(account, retryByHand(account, params.id), sandbox),
});
