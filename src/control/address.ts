import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { AddressLocationBody, AddressLocationResult } from "../service/address/schemas.js";
import { submitAddressLocation } from "../service/address/submit-address-location.js";
import { operation } from "./operation.js";

export const visitAddress = operation({
  id: "visitAddress",
  route: controlRoutes.visitAddress,
  summary: "Open confirm_url as the person and share the location of the phone",
  auth: "control",
  params: Type.Object({ id: Type.String({ description: "Id of the address check" }) }),
  body: AddressLocationBody,
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
  handle: ({ account, params, body, sandbox }) =>
    sandbox.call(account, submitAddressLocation, { params, body, actor: "page" }),
});
