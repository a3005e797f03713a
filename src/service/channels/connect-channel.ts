import { operation } from "../operation.js";
import { ChannelLink, ChannelParams } from "./schemas.js";

export const connectChannel = operation({
  id: "connectChannel",
  route: "POST /v1/wa/channels/{channel_id}/connect",
  summary: "Start to link a number",
  description: "The number is linked by scanning the code from the messaging app.",
  auth: "key",
  params: ChannelParams,
  reply: { 200: ChannelLink },
  refuses: ["resource_not_found", "invalid_state"],
});
