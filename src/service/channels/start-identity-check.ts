import * as Type from "typebox";
import { minute } from "../../time/time.js";
import { ChatNumber } from "../numbers.js";
import { operation } from "../operation.js";
import { requireConnectedChannel } from "./account-channels.js";
import { chatWith, saveChat } from "./chats.js";
import { hashAnswer, normaliseAnswer } from "./identity-answers.js";
import { identityCheck } from "./machines/identity-check.js";
import { ChannelParams, maxTextLength, StartedIdentityCheck } from "./schemas.js";

const assumed = { "x-assumption": "identity.defaults" };

/** Assumption identity.defaults. */
export const defaultQuestionTtlMinutes = 60;
const defaultMaxAttempts = 3;

export const startIdentityCheck = operation({
  id: "startIdentityCheck",
  route: "POST /v1/wa/channels/{channel_id}/verify-identity",
  summary: "Ask a person an identity question",
  description:
    "Answers are compared ignoring capital letters, spaces and punctuation; the expected answer is stored only as a " +
    "one-way hash. A verification event is sent when the check ends if a website is connected to the number.",
  auth: "key",
  plan: "growth",
  params: ChannelParams,
  body: Type.Object({
    to: ChatNumber,
    question: Type.String({
      minLength: 1,
      maxLength: maxTextLength,
      examples: ["What is your mother's maiden name?"],
    }),
    // Unbounded: the refusal of a longer answer would quote it.
    expected: Type.String({ minLength: 1, description: "The expected answer", examples: ["Okafor"] }),
    reference: Type.Optional(Type.String()),
    ttl_minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_080, default: defaultQuestionTtlMinutes, ...assumed }),
    ),
    max_attempts: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, default: defaultMaxAttempts, ...assumed }),
    ),
  }),
  reply: { 201: StartedIdentityCheck },
  refuses: ["validation_error", "resource_not_found", "channel_not_connected"],
  emits: identityCheck.events,
  assumptions: [
    "identity.defaults",
    "identity.answers",
    "identity.several",
    "channels.window",
    "channels.default",
    "channels.sizes",
  ],

  handle({ account, assumptions, params, body, refuse }) {
    const { to, question, expected, reference = null } = body;
    const { ttl_minutes = defaultQuestionTtlMinutes, max_attempts = defaultMaxAttempts } = body;
    const folded = assumptions["identity.defaults"] === "folded";
    if (normaliseAnswer(expected, folded) === "") {
      const message = "expected must contain more than spaces and punctuation, which are ignored.";
      refuse("validation_error", { param: "expected", message });
    }
    const { id: channel_id } = requireConnectedChannel(account, params.channel_id);
    const chat = chatWith(account, channel_id, to);
    const asked = account.records.start(identityCheck, "ask", {
      channel_id,
      to,
      expected: hashAnswer(expected, folded, account.random),
      reference,
      attempts: 0,
      max_attempts,
      expires_at: account.clock.now() + ttl_minutes * minute,
      resolved_at: null,
      previous: chat.question_id,
    });
    saveChat(account, channel_id, to, { ...chat, question_id: asked.id });
    account.inbox.send({ channel: "chat", to, from: channel_id, text: question, codes: [] });
    const { id, kind, attempts, expires_at } = identityCheck.view(asked);
    return { id, kind, to, status: asked.state, attempts, expires_at };
  },
});
