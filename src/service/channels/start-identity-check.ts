import * as Type from "typebox";
import { ChatNumber } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { ChannelParams, StartedIdentityCheck } from "./schemas.js";

const assumed = { "x-assumption": "identity.defaults" };

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
    question: Type.String({ minLength: 1, examples: ["What is your mother's maiden name?"] }),
    expected: Type.String({ minLength: 1, description: "The expected answer" }),
    reference: Type.Optional(Type.String()),
    ttl_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_080, default: 60, ...assumed })),
    max_attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 5, default: 3, ...assumed })),
  }),
  reply: { 201: StartedIdentityCheck },
  refuses: ["resource_not_found", "channel_not_connected"],
  emits: ["verification"],
  assumptions: ["identity.defaults", "channels.window"],
});
