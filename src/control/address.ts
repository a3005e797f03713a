import type { Static } from "typebox";
import * as Type from "typebox";
import { AddressLocationResult } from "../service/address/schemas.js";
import { LocationBody, submitAddressLocation } from "../service/address/submit-address-location.js";
import { operation } from "./operation.js";

export const visitAddress = operation({
  id: "visitAddress",
  route: "POST /_sandbox/address/{id}/visit",
  summary: "The person opens confirm_url and shares where the phone is",
  auth: "control",
  params: Type.Object({ id: Type.String({ description: "The address check's id" }) }),
  body: LocationBody,
  reply: { 200: AddressLocationResult },
  refuses: [
    "resource_not_found",
    "invalid_state",
    "link_expired",
    "internal_error",
    "provider_unavailable",
    "provider_timeout",
    "rate_limited",
  ],
  async handle({ account, params, body, sandbox }) {
    const input = { params, body, actor: "page" };
    const result = await sandbox.call(account, submitAddressLocation.id, input);
    return result as Static<typeof AddressLocationResult>;
  },
});
