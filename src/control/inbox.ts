import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { Timestamp } from "../contract/schemas.js";
import { receiveMessage } from "../service/channels/receive-message.js";
import { ChatNumber } from "../service/numbers.js";
import type { MessageFilter } from "../world/account/inbox.js";
import { operation } from "./operation.js";
import { listPage, paging } from "./paging.js";
import { items } from "./schemas.js";
import { parseTimeout, timeoutField, waitFor } from "./waiting.js";

const Channel = Type.Enum(["sms", "chat", "email"]);

const InboxMessage = Type.Object({
  id: Type.String(),
  channel: Channel,
  to: Type.String(),
  from: Type.String(),
  text: Type.String(),
  codes: Type.Array(Type.String(), { description: "One-time codes in the text" }),
  links: Type.Array(Type.String()),
  created_at: Timestamp,
});

const filter = {
  to: Type.Optional(
    Type.String({
      description: "Phone number or e-mail address. A plus sign must be encoded as %2B or omitted",
    }),
  ),
  channel: Type.Optional(Channel),
};

/** Normalizes the recipient: an unescaped plus sign arrives as a space, and a local number means +234. */
function toFilter({ to, channel }: MessageFilter): MessageFilter {
  const recipient = to?.trim().replace(/^0(?=\d{10}$)/, "+234");
  return { ...(recipient === undefined ? {} : { to: recipient }), ...(channel ? { channel } : {}) };
}

export const listMessages = operation({
  id: "listMessages",
  route: controlRoutes.listMessages,
  summary: "List the messages that people would have received, newest first",
  auth: "control",
  query: Type.Object({ ...filter, ...paging }),
  reply: { 200: items(InboxMessage) },
  refuses: ["validation_error"],
  handle: ({ account, query }) =>
    listPage(account.inbox.newest(toFilter(query)), query, (message) => message),
});

export const waitForMessage = operation({
  id: "waitForMessage",
  route: controlRoutes.waitForMessage,
  summary: "Wait for the next message that no earlier wait with this filter has returned",
  auth: "control",
  query: Type.Object({ ...filter, timeout: timeoutField }),
  reply: { 200: InboxMessage },
  refuses: ["wait_timeout", "validation_error"],

  async handle({ account, query, refuse }) {
    const timeout = parseTimeout(query.timeout, refuse);
    const wanted = toFilter(query);
    const message = await waitFor(account.inbox.waiters, () => account.inbox.take(wanted), timeout);
    if (message) return message;
    const [taken] = account.inbox.newest(wanted);
    const [last] = account.inbox.newest();
    const other = last ? `the newest message is for ${last.to}` : "the inbox is empty";
    const newest = taken
      ? `another call that waited with this filter has got the newest, ${taken.id}`
      : other;
    return refuse("wait_timeout", {
      message: `No new message ${wanted.to ? `for ${wanted.to} ` : ""}came within ${timeout} ms; ${newest}.`,
    });
  },
});

export const replyAsPerson = operation({
  id: "replyAsPerson",
  route: controlRoutes.replyAsPerson,
  summary: "Write to one of the account's channels as a person",
  description: "Opens the reply window and answers the newest open identity question.",
  auth: "control",
  body: Type.Object({
    channel_id: Type.String({ minLength: 1 }),
    from: ChatNumber,
    text: Type.String({ minLength: 1, maxLength: 4096 }),
  }),
  reply: { 201: InboxMessage },
  refuses: ["invalid_phone", "resource_not_found", "channel_not_connected"],
  handle: ({ account, body: { channel_id, from, text } }) =>
    account.commit("control", () => receiveMessage(account, channel_id, from, text)),
});
