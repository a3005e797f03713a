import * as Type from "typebox";
import { Timestamp } from "../contract/schemas.js";
import { attemptRequest } from "../webhooks/attempt-request.js";
import { retryByHand } from "../webhooks/deliver.js";
import type { Account } from "../world/account.js";
import type { Stored } from "../world/machine.js";
import { type DeliveryFields, delivery } from "../world/outbox/delivery.js";
import { type ControlledSandbox, operation } from "./operation.js";
import { ById, items } from "./schemas.js";

const Headers = Type.Record(Type.String(), Type.String());
const Status = Type.Enum(["pending", "succeeded", "failed"]);

const DeliveryView = Type.Object({
  id: Type.String(),
  event_id: Type.String(),
  event: Type.String(),
  endpoint_id: Type.String(),
  url: Type.String(),
  status: Status,
  next_attempt_at: Type.Union([Timestamp, Type.Null()]),
  rule: Type.Union([Type.String(), Type.Null()], { description: "The rule that had a say in how it leaves" }),
  attempts: Type.Array(
    Type.Object({
      at: Timestamp,
      status: Type.Union([Type.Integer(), Type.Null()]),
      duration_ms: Type.Number(),
      request_headers: Headers,
      request_body: Type.String(),
      response_headers: Headers,
      response_body: Type.String(),
      error: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});

/** Every attempt sent the same bytes, so the log keeps them once, with the event. */
function view(
  account: Account,
  record: Stored<DeliveryFields>,
  { extendedWebhookHeaders }: ControlledSandbox,
) {
  const genuine = account.outbox.event(record.event_id)?.body ?? "";
  const { id, event_id, event, endpoint_id, url, next_attempt_at } = record;
  return {
    id,
    event_id,
    event,
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
  summary: "The delivery log, newest first, with every attempt",
  auth: "control",
  query: Type.Object({
    event: Type.Optional(Type.String()),
    status: Type.Optional(Status),
    endpoint: Type.Optional(Type.String({ description: "An endpoint's id" })),
  }),
  reply: { 200: items(DeliveryView) },

  handle: ({ account, query, sandbox }) => ({
    items: [...account.records.newest(delivery)]
      .filter(
        ({ event, state, endpoint_id }) =>
          event === (query.event ?? event) &&
          state === (query.status ?? state) &&
          endpoint_id === (query.endpoint ?? endpoint_id),
      )
      .map((record) => view(account, record, sandbox)),
  }),
});

export const retryDelivery = operation({
  id: "retryDelivery",
  route: "POST /_sandbox/deliveries/{id}/retry",
  summary: "Attempt a delivery again, whatever became of it",
  auth: "control",
  params: ById,
  reply: { 200: DeliveryView },
  refuses: ["resource_not_found"],
  handle: ({ account, params, sandbox }) => view(account, retryByHand(account, params.id), sandbox),
});
