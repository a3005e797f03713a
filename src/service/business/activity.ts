/** The activity log of the business. */

import * as Type from "typebox";
import { exactly, Timestamp } from "../../contract/schemas.js";
import type { SentEvent } from "../../world/webhooks/outbox.js";
import { operation } from "../operation.js";
import { type EventKind, eventKinds, events } from "../webhooks/events.js";

export type BusinessEventKind = Exclude<EventKind, "verification" | "verification.completed">;

const businessEventKinds = eventKinds.filter(
  (kind): kind is BusinessEventKind => kind !== "verification" && kind !== "verification.completed",
);

export const BusinessEvent = exactly({
  kind: Type.Enum(businessEventKinds),
  message: Type.String(),
  created_at: Timestamp,
});

const isBusinessEvent = (kind: string): kind is BusinessEventKind =>
  (businessEventKinds as readonly string[]).includes(kind);

/**
 * Returns the business events of the list as the activity log shows them; assumption business.events. Events that
 * were triggered by hand are omitted.
 */
const viewEvents = (sent: readonly SentEvent[]) =>
  sent.flatMap(({ event, data, created_at, by_hand }) =>
    isBusinessEvent(event) && !by_hand
      ? [{ kind: event, message: events[event].message?.(data as never) ?? "", created_at }]
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
