import * as Type from "typebox";
import { operation } from "../operation.js";
import { channelsOf } from "./account-channels.js";
import { viewChannel } from "./machines/channel.js";
import { Channel } from "./schemas.js";

export const listChannels = operation({
  id: "listChannels",
  route: "GET /v1/wa/channels",
  summary: "List the linked numbers",
  auth: "key",
  reply: { 200: Type.Array(Channel) },
  assumptions: ["channels.default", "lists"],
  handle: ({ account }) => channelsOf(account).map(viewChannel),
});
