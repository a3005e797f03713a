import * as Type from "typebox";
import { ChatNumber } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { ChannelCodeCheck, ChannelParams } from "./schemas.js";

export const checkChannelCode = operation({
  id: "checkChannelCode",
  route: "POST /v1/wa/channels/{channel_id}/otp/verify",
  summary: "Check the one-time code that a person typed",
  description: "A code can be used once and locks after 5 wrong tries.",
  auth: "key",
  params: ChannelParams,
  body: Type.Object({ to: ChatNumber, code: Type.String({ minLength: 1, examples: ["482913"] }) }),
  reply: { 200: ChannelCodeCheck },
  refuses: ["resource_not_found"],
  assumptions: ["message_code.states"],
});
