import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { findNumber, isRoundedInteger, roundedIntegerReason } from "../contract/json.js";
import { Timestamp } from "../contract/schemas.js";
import { type EventKind, events } from "../service/webhooks/events.js";
import type { Endpoint } from "../world/webhooks/outbox.js";
import type { SentEvent } from "../world/webhooks/sent-event.js";
import { operation } from "./operation.js";
import { listPage, paging } from "./paging.js";
import { AnyObject, ById, EventName, items } from "./schemas.js";
import { parseTimeout, timeoutField, waitFor } from "./waiting.js";

const EventView = Type.Object({
  id: Type.String(),
  event: EventName,
  created_at: Timestamp,
  data: AnyObject,
});

const TriggeredEvent = Type.Object({
  ...EventView.properties,
  hint: Type.Optional(Type.String({ description: "Only if no endpoint is registered for the event" })),
});

const view = ({ id, event, created_at, data }: SentEvent) => ({
  id,
  event: event as EventKind,
  created_at,
  data: data as Record<string, unknown>,
});

export const listEvents = operation({
  id: "listEvents",
  route: controlRoutes.listEvents,
  summary: "List the events of the account, newest first",
  auth: "control",
  query: Type.Object({ event: Type.Optional(Type.String()), ...paging }),
  reply: { 200: items(EventView) },
  refuses: ["validation_error"],
  handle: ({ account, query }) =>
    listPage(account.outbox.events(), query, view, ({ event }) => event === (query.event ?? event)),
});

export const getEvent = operation({
  id: "getEvent",
  route: controlRoutes.getEvent,
  summary: "Get an event",
  auth: "control",
  params: ById,
  reply: { 200: EventView },
  refuses: ["resource_not_found"],

  handle({ account, params: { id }, refuse }) {
    const message = `There is no event ${id.slice(0, 100)} on this account.`;
    return view(account.outbox.event(id) ?? refuse("resource_not_found", { param: "id", message }));
  },
});

export const waitForEvent = operation({
  id: "waitForEvent",
  route: controlRoutes.waitForEvent,
  summary: "Wait for the next event that no earlier wait for this kind has returned",
  auth: "control",
  query: Type.Object({ event: Type.Optional(EventName), timeout: timeoutField }),
  reply: { 200: EventView },
  refuses: ["wait_timeout", "validation_error"],

  async handle({ account, query: { event, timeout }, refuse }) {
    const { outbox } = account;
    const timeoutMs = parseTimeout(timeout, refuse);
    const sent = await waitFor(outbox.waiters, () => outbox.take(event), timeoutMs);
    if (sent) return view(sent);
    const [last] = outbox.events();
    const taken = [...outbox.events()].find((sent) => sent.event === (event ?? sent.event));
    const other = last ? `the newest event is ${last.event}` : "there are no events yet";
    const newest = taken ? `another call that waited for this has got the newest, ${taken.id}` : other;
    return refuse("wait_timeout", {
      message: `No new ${event ?? "event"} came within ${timeoutMs} ms; ${newest}.`,
    });
  },
});

export const triggerEvent = operation({
  id: "triggerEvent",
  route: controlRoutes.triggerEvent,
  summary: "Send an event to the account's endpoints, with example data unless data is given",
  auth: "control",
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
