import * as Type from "typebox";
import { ChatNumber, Timestamp } from "../contract/schemas.js";
import { personWrites } from "../service/channels/receive-message.js";
import type { InboxFilter } from "../world/inbox.js";
import { operation } from "./operation.js";
import { items } from "./schemas.js";
import { next, timeoutField, timeoutIn } from "./waiting.js";

const InboxMessage = Type.Object({
  id: Type.String(),
  channel: Type.Enum(["sms", "chat", "email"]),
  to: Type.String(),
  from: Type.String(),
  text: Type.String(),
  codes: Type.Array(Type.String()),
  links: Type.Array(Type.String()),
  created_at: Timestamp,
});

const filter = {
  to: Type.Optional(
    Type.String({ description: "Number or address; a plus sign may be written as %2B, or left out" }),
  ),
  channel: Type.Optional(Type.Enum(["sms", "chat", "email"])),
};

/** A plus sign in a query reads as a space, and people write local numbers: all mean the same person. */
function toFilter({ to, channel }: { to?: string; channel?: "sms" | "chat" | "email" }): InboxFilter {
  const recipient = to?.trim().replace(/^0(?=\d{10}$)/, "+234");
  return { ...(recipient === undefined ? {} : { to: recipient }), ...(channel ? { channel } : {}) };
}

export const listMessages = operation({
  id: "listMessages",
  route: "GET /_sandbox/inbox",
  summary: "What would have been sent to people, newest first",
  auth: "control",
  query: Type.Object(filter),
  reply: { 200: items(InboxMessage) },
  handle: ({ account, query }) => ({ items: account.inbox.list(toFilter(query)) }),
});

export const waitForMessage = operation({
  id: "waitForMessage",
  route: "GET /_sandbox/inbox/wait",
  summary: "The next message that no wait with this filter was answered with, as soon as there is one",
  auth: "control",
  query: Type.Object({
    ...filter,
    timeout: timeoutField,
  }),
  reply: { 200: InboxMessage },
  refuses: ["wait_timeout", "validation_error"],

  async handle({ account, query, refuse }) {
    const timeout = timeoutIn(query.timeout, refuse);
    const wanted = toFilter(query);
    const message = await next(account.inbox.waiters, () => account.inbox.take(wanted), timeout);
    if (message) return message;
    const last = account.inbox.list()[0];
    const there = last ? `the newest message is for ${last.to}` : "the inbox is empty";
    return refuse("wait_timeout", {
      message: `No new message ${wanted.to ? `for ${wanted.to} ` : ""}came within ${timeout} ms; ${there}.`,
    });
  },
});

export const replyAsPerson = operation({
  id: "replyAsPerson",
  route: "POST /_sandbox/inbox/reply",
  summary: "A person writes to one of the account's channels",
  description: "Opens the reply window, and answers the newest identity question that is open.",
  auth: "control",
  body: Type.Object({
    channel_id: Type.String({ minLength: 1 }),
    from: ChatNumber,
    text: Type.String({ minLength: 1, maxLength: 4096 }),
  }),
  reply: { 201: InboxMessage },
  refuses: ["invalid_phone", "resource_not_found", "channel_not_connected"],
  handle: ({ account, body: { channel_id, from, text } }) =>
    account.commit("control", () => personWrites(account, channel_id, from, text)),
});
