import * as Type from "typebox";
import { Timestamp } from "../contract/schemas.js";
import { receiveMessage } from "../service/channels/messages.js";
import { ChatNumber } from "../service/numbers.js";
import type { MessageFilter } from "../world/account/inbox.js";
import { collection } from "./collection.js";
import { operation } from "./operation.js";

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

const inbox = collection({
  of: InboxMessage,
  filter: {
    to: Type.Optional(
      Type.String({
        description: "Phone number or e-mail address. A plus sign must be encoded as %2B or omitted",
      }),
    ),
    channel: Type.Optional(Channel),
  },
  items: ({ account, query }) => account.inbox.newest(toFilter(query)),
  view: (message) => message,
  list: {
    id: "listMessages",
    summary: "List the messages that people would have received, newest first",
  },
  wait: {
    id: "waitForMessage",
    summary: "Wait for the next message that no earlier wait with this filter has returned",
    waiters: ({ inbox }) => inbox.waiters,
    take: ({ account, query }) => account.inbox.take(toFilter(query)),
    none: (query) => {
      const { to } = toFilter(query);
      return `No new message ${to ? `for ${to} ` : ""}came`;
    },
    others: ({ inbox }) => {
      const [last] = inbox.newest();
      return last ? `the newest message is for ${last.to}` : "the inbox is empty";
    },
  },
});
export const { list: listMessages, wait: waitForMessage } = inbox;

/** Matches phone numbers, with the spaces and hyphens that people write. */
const phoneNotation = /^\+?[\d -]+$/;

/**
 * Normalizes the recipient: an unescaped plus sign arrives as a space, a phone number may have spaces and hyphens, and
 * a local number means +234.
 */
function toFilter({ to, channel }: MessageFilter): MessageFilter {
  const written = to?.trim();
  const bare =
    written !== undefined && phoneNotation.test(written) ? written.replaceAll(/[ -]/g, "") : written;
  const recipient = bare?.replace(/^0(?=\d{10}$)/, "+234");
  return { ...(recipient === undefined ? {} : { to: recipient }), ...(channel ? { channel } : {}) };
}

export const replyAsPerson = operation({
  id: "replyAsPerson",
  summary: "Write to one of the account's channels as a person",
  description: "Opens the reply window and answers the newest open identity question.",
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
