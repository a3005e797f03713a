import * as Type from "typebox";
import { ChatNumber } from "../../contract/schemas.js";
import { minute, toIso } from "../../world/time/time.js";
import { operation } from "../operation.js";
import { connectedChannel } from "./account-channels.js";
import { chatWith, saveChat } from "./chats.js";
import { normalAnswer, seal } from "./identity-answers.js";
import { identityCheck } from "./machines/identity-check.js";
import { ChannelParams, mostText, StartedIdentityCheck } from "./schemas.js";

const assumed = { "x-assumption": "identity.defaults" };

/** Assumption identity.defaults. */
const standardMinutes = 60;
const standardAttempts = 3;

export const startIdentityCheck = operation({
  id: "startIdentityCheck",
  route: "POST /v1/wa/channels/{channel_id}/verify-identity",
  summary: "Ask a person an identity question",
  description:
    "The answer is compared ignoring capital letters, spaces and punctuation; the expected one is stored only as a " +
    "one-way hash. A verification event is sent when the check ends, if the number has a connected website.",
  auth: "key",
  plan: "growth",
  params: ChannelParams,
  body: Type.Object({
    to: ChatNumber,
    question: Type.String({
      minLength: 1,
      maxLength: mostText,
      examples: ["What is your mother's maiden name?"],
    }),
    // Not bounded here: the refusal of a longer one would quote it.
    expected: Type.String({ minLength: 1, description: "The expected answer" }),
    reference: Type.Optional(Type.String()),
    ttl_minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_080, default: standardMinutes, ...assumed }),
    ),
    max_attempts: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, default: standardAttempts, ...assumed }),
    ),
  }),
  reply: { 201: StartedIdentityCheck },
  refuses: ["validation_error", "resource_not_found", "channel_not_connected"],
  emits: ["verification"],
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
    const { ttl_minutes = standardMinutes, max_attempts = standardAttempts } = body;
    const folded = assumptions["identity.defaults"] === "folded";
    if (normalAnswer(expected, folded) === "") {
      const message = "expected must have something beside spaces and punctuation, which do not count.";
      refuse("validation_error", { param: "expected", message });
    }
    const { id: channel_id } = connectedChannel(account, params.channel_id);
    const chat = chatWith(account, channel_id, to);
    const asked = account.records.start(identityCheck, "ask", {
      channel_id,
      to,
      expected: seal(expected, folded, account.random),
      reference,
      attempts: 0,
      max_attempts,
      expires_at: account.clock.now() + ttl_minutes * minute,
      resolved_at: null,
      previous: chat.question_id,
    });
    saveChat(account, channel_id, to, { ...chat, question_id: asked.id });
    account.inbox.send({ channel: "chat", to, from: channel_id, text: question, codes: [] });
    return {
      id: asked.id,
      kind: "identity" as const,
      to,
      status: "pending" as const,
      attempts: 0,
      expires_at: toIso(asked.expires_at),
    };
  },
});
