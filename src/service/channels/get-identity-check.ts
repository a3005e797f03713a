import * as Type from "typebox";
import { operation } from "../operation.js";
import { neededChannel } from "./account-channels.js";
import { expireIfDue } from "./machines/expiry.js";
import { identityCheck, viewIdentityCheck } from "./machines/identity-check.js";
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
  assumptions: ["identity.defaults", "channels.default"],

  handle({ account, params, refuse }) {
    const { id } = neededChannel(account, params.channel_id);
    const asked = account.records.get(identityCheck, params.verification_id);
    if (asked?.channel_id !== id) {
      const message = `There is no identity check ${JSON.stringify(params.verification_id.slice(0, 60))} on ${id}; use the id that POST /v1/wa/channels/${id}/verify-identity answered with.`;
      return refuse("resource_not_found", { param: "verification_id", message });
    }
    return viewIdentityCheck(expireIfDue(account, identityCheck, asked));
  },
});
