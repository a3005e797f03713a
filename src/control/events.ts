import * as Type from "typebox";
import { eventKinds, events } from "../contract/events.js";
import { Timestamp } from "../contract/schemas.js";
import type { SentEvent } from "../world/outbox/sent-event.js";
import { operation } from "./operation.js";
import { Anything, items } from "./schemas.js";
import { next, timeoutField, timeoutIn } from "./waiting.js";

const EventView = Type.Object({
  id: Type.String(),
  event: Type.String(),
  created_at: Timestamp,
  data: Anything,
});

const view = ({ id, event, created_at, data }: SentEvent) => ({
  id,
  event,
  created_at,
  data: data as Record<string, unknown>,
});

export const listEvents = operation({
  id: "listEvents",
  route: "GET /_sandbox/events",
  summary: "What happened on the account, newest first",
  auth: "control",
  query: Type.Object({ event: Type.Optional(Type.String()) }),
  reply: { 200: items(EventView) },
  handle: ({ account, query }) => ({
    items: account.outbox
      .events()
      .filter(({ event }) => query.event === undefined || event === query.event)
      .map(view),
  }),
});

export const waitForEvent = operation({
  id: "waitForEvent",
  route: "GET /_sandbox/events/wait",
  summary: "The next event that no wait for this kind was answered with, as soon as there is one",
  auth: "control",
  query: Type.Object({ event: Type.Optional(Type.Enum([...eventKinds])), timeout: timeoutField }),
  reply: { 200: EventView },
  refuses: ["wait_timeout", "validation_error"],

  async handle({ account, query: { event, timeout }, refuse }) {
    const { outbox } = account;
    const patience = timeoutIn(timeout, refuse);
    const sent = await next(outbox.waiters, () => outbox.take(event), patience);
    if (sent) return view(sent);
    const last = outbox.events()[0];
    const there = last ? `the newest event is ${last.event}` : "nothing has happened yet";
    return refuse("wait_timeout", {
      message: `No new ${event ?? "event"} came within ${patience} ms; ${there}.`,
    });
  },
});

export const triggerEvent = operation({
  id: "triggerEvent",
  route: "POST /_sandbox/events",
  summary: "Send an event to the account's endpoints, with example data unless you give some",
  auth: "control",
  body: Type.Object({ event: Type.Enum([...eventKinds]), data: Type.Optional(Anything) }),
  reply: { 201: EventView },

  handle({ account, body }) {
    return account.commit("control", () => {
      const data = body.data ?? events[body.event].example;
      const jobId = body.event === "verification.completed" ? account.random.id("ver_") : undefined;
      return view(account.outbox.emit(body.event, data, { jobId, byHand: true }));
    });
  },
});
