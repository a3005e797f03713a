import * as Type from "typebox";
import type { Account } from "../../world/account/account.js";
import { expireIfDue } from "../account-records.js";
import { ChatNumber } from "../numbers.js";
import { operation } from "../operation.js";
import { requireChannel } from "./account-channels.js";
import { chatWith } from "./chats.js";
import { type ChannelCodeRecord, channelCode, maxWrongTries } from "./machines/channel-code.js";
import { ChannelCodeCheck, ChannelParams, type Reason } from "./schemas.js";

/** Reasons for codes that can no longer be tried. Used and replaced codes count as absent. */
const closedReasons: Partial<Record<ChannelCodeRecord["state"], Reason>> = {
  expired: "expired",
  locked: "too_many_attempts",
};

/** Applies one try and returns why it failed; null if the code is correct. Assumption message_code.states. */
function tryCode(account: Account, sent: ChannelCodeRecord, typed: string): Reason | null {
  const { records } = account;
  if (expireIfDue(account, channelCode, sent).state !== "pending")
    return closedReasons[sent.state] ?? "no_pending_code";
  if (typed === sent.code) {
    records.move(channelCode, sent, "verify");
    return null;
  }
  if (sent.replaced.includes(typed)) return "no_pending_code";
  sent.attempts++;
  if (sent.attempts >= maxWrongTries) records.move(channelCode, sent, "lock");
  else records.save(channelCode, sent);
  return "wrong_code";
}

export const checkChannelCode = operation({
  id: "checkChannelCode",
  route: "POST /v1/wa/channels/{channel_id}/otp/verify",
  summary: "Check the one-time code that a person typed",
  description: "A code can be used once, and locks after 5 wrong tries.",
  auth: "key",
  isHarmless: true,
  params: ChannelParams,
  body: Type.Object({ to: ChatNumber, code: Type.String({ minLength: 1, examples: ["482913"] }) }),
  reply: { 200: ChannelCodeCheck },
  refuses: ["resource_not_found"],
  assumptions: ["message_code.states", "channels.default"],

  handle({ account, params, body }) {
    const { id } = requireChannel(account, params.channel_id);
    const { code_id } = chatWith(account, id, body.to);
    const sent = code_id === null ? undefined : account.records.get(channelCode, code_id);
    const reason = sent ? tryCode(account, sent, body.code) : "no_pending_code";
    const reference = reason === "no_pending_code" ? null : (sent?.reference ?? null);
    return { valid: reason === null, reason, reference };
  },
});
