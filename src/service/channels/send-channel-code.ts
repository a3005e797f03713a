import * as Type from "typebox";
import { ChatNumber } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { ChannelCode, ChannelParams } from "./schemas.js";

export const sendChannelCode = operation({
  id: "sendChannelCode",
  route: "POST /v1/wa/channels/{channel_id}/otp",
  summary: "Send a one-time code",
  description:
    "Works for any number; at most 3 codes an hour and 8 a day to one person, and a daily cap per plan.",
  auth: "key",
  plan: "growth",
  params: ChannelParams,
  body: Type.Object({
    to: ChatNumber,
    brand: Type.Optional(Type.String({ minLength: 1, description: "Name that the message bears" })),
    length: Type.Optional(Type.Integer({ minimum: 4, maximum: 8, description: "Number of digits" })),
    ttl_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, default: 10 })),
    reference: Type.Optional(Type.String({ description: "Echoed by the check" })),
  }),
  reply: { 201: ChannelCode },
  refuses: [
    "resource_not_found",
    "channel_not_connected",
    "otp_hourly_limit",
    "otp_daily_limit",
    "plan_daily_cap",
  ],
  outcomes: {
    sent: "the code is sent",
    not_on_app: "the number is not on the messaging app: the code is accepted and never arrives",
  },
  assumptions: ["message_code.states", "message_code.daily_cap", "channels.window"],
});
