import * as Type from "typebox";
import { operation } from "../operation.js";
import { CreatedChannel } from "./schemas.js";

export const createChannel = operation({
  id: "createChannel",
  route: "POST /v1/wa/channels",
  summary: "Create a channel for a number",
  auth: "key",
  body: Type.Object({ label: Type.String({ minLength: 1, examples: ["Main line"] }) }),
  reply: { 201: CreatedChannel },
});
