/** A delivery as the control API shows it. */
import * as Type from "typebox";
import { NullableTimestamp, nullable } from "../contract/schemas.js";
import type { EventKind } from "../service/webhooks/events.js";
import type { Account } from "../world/account/account.js";
import { attemptRequest } from "../world/webhooks/attempt-request.js";
import { type Delivery, DeliveryAttempt, DeliveryStatus } from "../world/webhooks/delivery.js";
import type { ControlledSandbox } from "./operation.js";
import { EventName } from "./schemas.js";

const Headers = Type.Record(Type.String(), Type.String());

export const DeliveryView = Type.Object({
  id: Type.String(),
  event_id: Type.String(),
  event: EventName,
  endpoint_id: Type.String(),
  url: Type.String(),
  status: DeliveryStatus,
  next_attempt_at: NullableTimestamp,
  rule: nullable(Type.String(), { description: "Id of the rule that changes how the delivery is sent" }),
  released_early: Type.Optional(
    Type.Literal(true, {
      description:
        "It was held, and sent before anybody released it, because the held webhooks of all accounts had reached their total",
    }),
  ),
  attempts: Type.Array(
    Type.Object({ ...DeliveryAttempt.properties, request_headers: Headers, request_body: Type.String() }),
  ),
});

/** Returns a delivery with the bytes that each attempt sent, which are stored once, with the event. */
export function viewDelivery(
  account: Account,
  record: Delivery,
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
    status: record.state,
    next_attempt_at,
    rule: record.rule ?? null,
    ...(record.released_early ? { released_early: true as const } : {}),
    attempts: record.attempts.map((attempt, index) => {
      const sent = attemptRequest(account, record, genuine, index + 1, extendedWebhookHeaders);
      return { ...attempt, request_headers: sent.headers, request_body: sent.body };
    }),
  };
}
