/** Messages that a channel sends, and messages that people write to it. */

import type { Static } from "typebox";
import * as Type from "typebox";
import { coded, exactly } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import type { Message } from "../../world/account/inbox.js";
import { expireIfDue } from "../account-records.js";
import { ChatNumber } from "../numbers.js";
import { operation } from "../operation.js";
import { testValueOutcome } from "../test-values.js";
import {
  ChannelParams,
  type Chat,
  chatWith,
  isWindowOpen,
  maxTextLength,
  requireConnectedChannel,
  saveChat,
} from "./channels.js";
import { type IdentityCheckRecord, identityCheck } from "./identity-questions.js";

// Interface: "Messaging channel", "One-time code and identity check" and the replies of their operations.

const maxCaptionLength = 1_024;
const maxFilenameLength = 255;

const link = Type.String({
  format: "uri",
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
  maxLength: 2048,
  description: "URL from which the file is fetched",
  examples: ["https://shop.example/receipt.png"],
  ...coded("validation_error", "an http or https URL of at most 2048 characters"),
});
const caption = Type.Optional(Type.String({ maxLength: maxCaptionLength }));

const SentImage = Type.Object({ link, caption }, { "x-assumption": "channels.send" });
const SentDocument = Type.Object(
  {
    link,
    filename: Type.String({ minLength: 1, maxLength: maxFilenameLength, examples: ["receipt.pdf"] }),
    caption,
  },
  { "x-assumption": "channels.send" },
);

const contents = ["text", "image", "document"] as const;

export const ChannelMessageBody = Type.Object(
  {
    to: ChatNumber,
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxTextLength,
        examples: ["Your parcel has arrived."],
        "x-assumption": "channels.sizes",
      }),
    ),
    image: Type.Optional(SentImage),
    document: Type.Optional(SentDocument),
  },
  {
    oneOf: contents.map((content) => ({ required: [content] })),
    "x-rule": "exactly one of text, image and document",
  },
);

export const SentMessage = exactly({ sent: Type.Integer({ minimum: 0 }), session_active: Type.Boolean() });

const outcomes = {
  sent: "the message is sent, even outside the reply window",
  window_closed: "the person has not written within the reply window: sent 0, session_active false",
  not_on_app: "the number is not on the messaging app: sent 0, session_active false",
};

/** Returns the message as the inbox shows it; files are not fetched. Assumption channels.send. */
function formatContent({ text = "", image, document }: Static<typeof ChannelMessageBody>): string {
  if (image) return withCaption(`[image] ${image.link}`, image);
  return document ? withCaption(`[document ${document.filename}] ${document.link}`, document) : text;
}

const withCaption = (file: string, { caption }: { caption?: string }): string =>
  caption ? `${caption}\n${file}` : file;

export const sendChannelMessage = operation({
  id: "sendChannelMessage",
  route: "POST /v1/wa/channels/{channel_id}/send",
  summary: "Send a message",
  description:
    "Send exactly one of text, image and document; images and documents need the Business plan. Only people who wrote " +
    "within the plan's reply window receive it.",
  auth: "key",
  params: ChannelParams,
  body: ChannelMessageBody,
  reply: { 200: SentMessage },
  refuses: ["validation_error", "plan_required", "resource_not_found", "channel_not_connected"],
  refusesWhile: [{ assumption: "channels.closed_window", value: "refused", codes: ["reply_window_closed"] }],
  outcomes,
  assumptions: ["channels.window", "channels.default"],

  testValue: ({ body }) => testValueOutcome("sendChannelMessage", "phone", `+${body.to}`),

  handle({ account, assumptions, params, body, decision, refuse }) {
    const { plan } = account.settings;
    if (body.text === undefined && plan !== "business") {
      const message = `Images and documents need the business plan; the account is on ${plan}.`;
      refuse("plan_required", { message, extra: { required_plan: "business" } });
    }
    const { id } = requireConnectedChannel(account, params.channel_id);
    if (decision.by === "default" && !isWindowOpen(account, chatWith(account, id, body.to)))
      decision.outcome = "window_closed";
    if (decision.outcome === "window_closed" && assumptions["channels.closed_window"] === "refused")
      refuse("reply_window_closed", {
        param: "to",
        message: `${body.to} has not written to this channel within the reply window of the ${plan} plan.`,
      });
    if (decision.outcome !== "sent") return { sent: 0, session_active: false };
    account.inbox.send({ channel: "chat", to: body.to, from: id, text: formatContent(body), codes: [] });
    return { sent: 1, session_active: true };
  },
});

// Receives messages that people write to a channel.

/** Returns the newest question that is still open; assumption identity.several. */
function findOpenQuestion({ question_id }: Chat, account: Account): IdentityCheckRecord | null {
  for (let id = question_id; id !== null; ) {
    const check = account.records.get(identityCheck, id);
    if (!check) return null;
    if (expireIfDue(account, identityCheck, check).state === "pending") return check;
    id = check.previous;
  }
  return null;
}

/**
 * Stores the message, opens the reply window and answers an open question. The text of an answer is not stored, as it may
 * be the expected one. Call inside a commit.
 */
export function receiveMessage(account: Account, channelId: string, from: string, text: string): Message {
  const { id } = requireConnectedChannel(account, channelId);
  const chat = chatWith(account, id, from);
  const question = findOpenQuestion(chat, account);
  const stored = question ? `[answer to ${question.id}]` : text;
  const message = account.inbox.receive({ channel_id: id, from, text, stored });
  // Questions that have ended are dropped from the chat.
  saveChat(account, id, from, {
    ...chat,
    last_message_at: account.clock.now(),
    question_id: question?.id ?? null,
  });
  if (question) account.records.move(identityCheck, question, "answer", text);
  return message;
}
