import * as Type from "typebox";
import { expireIfDue } from "../account-records.js";
import { operation } from "../operation.js";
import { requireChannel } from "./account-channels.js";
import { identityCheck, viewIdentityCheck } from "./machines/identity-check.js";
import { ChannelParams, IdentityCheck } from "./schemas.js";

export const getIdentityCheck = operation({
  id: "getIdentityCheck",
  route: "GET /v1/wa/channels/{channel_id}/verify-identity/{verification_id}",
  summary: "Get the result of an identity question",
  description: "The expected answer and the answers are not returned.",
  auth: "key",
  params: Type.Object({
    ...ChannelParams.properties,
    verification_id: Type.String({ description: "Id of the identity check" }),
  }),
  reply: { 200: IdentityCheck },
  refuses: ["resource_not_found"],
  assumptions: ["identity.defaults", "channels.default"],

  handle({ account, params, refuse }) {
    const { id } = requireChannel(account, params.channel_id);
    const asked = account.records.get(identityCheck, params.verification_id);
    if (asked?.channel_id !== id) {
      const message = `There is no identity check ${JSON.stringify(params.verification_id.slice(0, 60))} on ${id}; use the id returned by POST /v1/wa/channels/${id}/verify-identity.`;
      return refuse("resource_not_found", { param: "verification_id", message });
    }
    return viewIdentityCheck(expireIfDue(account, identityCheck, asked));
  },
});
