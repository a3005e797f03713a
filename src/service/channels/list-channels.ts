import * as Type from "typebox";
import { operation } from "../operation.js";
import { channelsOf } from "./account-channels.js";
import { viewChannel } from "./machines/channel.js";
import { Channel } from "./schemas.js";

export const listChannels = operation({
  id: "listChannels",
  route: "GET /v1/wa/channels",
  summary: "List the linked numbers",
  description: "Numbers are linked once, in the dashboard or with the two operations below.",
  auth: "key",
  reply: { 200: Type.Array(Channel) },
  assumptions: ["channels.default", "lists"],
  handle: ({ account }) => channelsOf(account).map(viewChannel),
});
