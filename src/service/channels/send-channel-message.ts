import * as Type from "typebox";
import { ChatNumber } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { ChannelParams, SentMessage } from "./schemas.js";

const assumed = { "x-assumption": "channels.send" };
const link = Type.String({ format: "uri", description: "Where the file is fetched from" });
const caption = Type.Optional(Type.String());

export const sendChannelMessage = operation({
  id: "sendChannelMessage",
  route: "POST /v1/wa/channels/{channel_id}/send",
  summary: "Send a message",
  description:
    "Exactly one of text, image and document; images and documents need the Business plan. Only people who wrote " +
    "within the plan's reply window are reached.",
  auth: "key",
  params: ChannelParams,
  body: Type.Object({
    to: ChatNumber,
    text: Type.Optional(Type.String({ minLength: 1, ...assumed })),
    image: Type.Optional(Type.Object({ link, caption }, assumed)),
    document: Type.Optional(Type.Object({ link, filename: Type.String({ minLength: 1 }), caption }, assumed)),
  }),
  reply: { 200: SentMessage },
  refuses: ["validation_error", "plan_required", "resource_not_found", "channel_not_connected"],
  outcomes: {
    sent: "the message is sent",
    window_closed: "the person has not written within the reply window: sent 0, session_active false",
    not_on_app: "the number is not on the messaging app: sent 0, session_active false",
  },
  assumptions: ["channels.send", "channels.window"],
});
