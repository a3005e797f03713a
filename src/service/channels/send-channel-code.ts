import * as Type from "typebox";
import { minute } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import { expireIfDue } from "../account-records.js";
import { ChatNumber } from "../numbers.js";
import { oneTimeCode } from "../one-time-code.js";
import { operation } from "../operation.js";
import { testValueOutcome } from "../test-values.js";
import { requireConnectedChannel } from "./account-channels.js";
import { chatWith, saveChat } from "./chats.js";
import { countCode } from "./code-limits.js";
import { channelCode } from "./machines/channel-code.js";
import { ChannelCode, ChannelParams, maxLabelLength } from "./schemas.js";

const outcomes = {
  sent: "the code is sent",
  not_on_app: "the number is not on the messaging app: the request succeeds, but the code never arrives",
};

/** Assumption message_code.text. */
export const defaultLength = 6;
export const defaultCodeTtlMinutes = 10;

function formatMessage(code: string, brand: string | undefined, minutes: number): string {
  const name = brand === undefined ? "your code" : `your ${brand} code`;
  return `${code} is ${name}. It expires in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}

/** Replaces the pending code for this number, if any, and returns all codes replaced so far. */
function replacePending(account: Account, codeId: string | null): string[] {
  const last = codeId === null ? undefined : account.records.get(channelCode, codeId);
  if (!last || expireIfDue(account, channelCode, last).state !== "pending") return [];
  account.records.move(channelCode, last, "replace");
  return [...last.replaced, last.code];
}

export const sendChannelCode = operation({
  id: "sendChannelCode",
  route: "POST /v1/wa/channels/{channel_id}/otp",
  summary: "Send a one-time code",
  description:
    "Works for any number. At most 3 codes per person and hour, 8 per person and day, and a daily cap per plan.",
  auth: "key",
  plan: "growth",
  params: ChannelParams,
  body: Type.Object({
    to: ChatNumber,
    brand: Type.Optional(
      Type.String({ minLength: 1, maxLength: maxLabelLength, description: "Name shown in the message" }),
    ),
    length: Type.Optional(
      Type.Integer({
        minimum: 4,
        maximum: 8,
        default: defaultLength,
        description: "Number of digits",
        "x-assumption": "message_code.text",
      }),
    ),
    ttl_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, default: defaultCodeTtlMinutes })),
    reference: Type.Optional(Type.String({ description: "Returned by the check" })),
  }),
  reply: { 201: ChannelCode },
  refuses: [
    "resource_not_found",
    "channel_not_connected",
    "otp_hourly_limit",
    "otp_daily_limit",
    "plan_daily_cap",
  ],
  outcomes,
  assumptions: [
    "message_code.states",
    "message_code.daily_cap",
    "message_code.limits",
    "channels.window",
    "channels.default",
    "channels.sizes",
  ],

  testValue: ({ body }) => testValueOutcome("sendChannelCode", "phone", `+${body.to}`),

  handle({ account, params, body, outcome }) {
    const { to, brand, length = defaultLength, ttl_minutes = defaultCodeTtlMinutes, reference = null } = body;
    const { id: channel_id } = requireConnectedChannel(account, params.channel_id);
    countCode(account, to);
    const chat = chatWith(account, channel_id, to);
    const replaced = replacePending(account, chat.code_id);
    const code = oneTimeCode(account, `+${to}`, length);
    const sent = account.records.start(channelCode, "send", {
      channel_id,
      to,
      code,
      reference,
      attempts: 0,
      expires_at: account.clock.now() + ttl_minutes * minute,
      replaced,
    });
    saveChat(account, channel_id, to, { ...chat, code_id: sent.id });
    if (outcome === "sent") {
      const text = formatMessage(code, brand, ttl_minutes);
      account.inbox.send({ channel: "chat", to, from: channel_id, text, codes: [code] });
    }
    const { id, kind, expires_at } = channelCode.view(sent);
    return { id, kind, to, status: sent.state, expires_at };
  },
});
