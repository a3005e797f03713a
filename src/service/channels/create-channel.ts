import * as Type from "typebox";
import { operation } from "../operation.js";
import { startChannel } from "./account-channels.js";
import { CreatedChannel, maxLabelLength } from "./schemas.js";

export const createChannel = operation({
  id: "createChannel",
  route: "POST /v1/wa/channels",
  summary: "Create a channel for a number",
  description: "The channel is disconnected until a number is linked.",
  auth: "key",
  body: Type.Object({
    label: Type.String({ minLength: 1, maxLength: maxLabelLength, examples: ["Main line"] }),
  }),
  reply: { 201: CreatedChannel },
  assumptions: ["channels.sizes"],

  handle({ account, body }) {
    const { id, label, created_at } = startChannel(account, body.label);
    return { id, label, phone: null, status: "disconnected" as const, created_at };
  },
});
