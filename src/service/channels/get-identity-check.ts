import * as Type from "typebox";
import { operation } from "../operation.js";
import { ChannelParams, IdentityCheck } from "./schemas.js";

export const getIdentityCheck = operation({
  id: "getIdentityCheck",
  route: "GET /v1/wa/channels/{channel_id}/verify-identity/{verification_id}",
  summary: "Read the result of an identity question",
  auth: "key",
  params: Type.Object({
    ...ChannelParams.properties,
    verification_id: Type.String({ description: "The identity check's id" }),
  }),
  reply: { 200: IdentityCheck },
  refuses: ["resource_not_found"],
});
