import * as Type from "typebox";
import { operation } from "../operation.js";
import { addressCheck, locate, viewResult } from "./machine.js";
import { requireOpenCheck } from "./open-check.js";
import { AddressLocationBody, AddressLocationResult } from "./schemas.js";

export const submitAddressLocation = operation({
  id: "submitAddressLocation",
  route: "POST /v1/verify/address/{id}/location",
  summary: "Submit the location of the person",
  description: "For mobile apps, in place of confirm_url. Free. The location replaces an earlier one.",
  auth: "key",
  params: Type.Object({ id: Type.String({ description: "Id of the verification" }) }),
  body: AddressLocationBody,
  reply: { 200: AddressLocationResult },
  refuses: ["resource_not_found", "invalid_state", "link_expired"],
  emits: addressCheck.events,
  assumptions: ["address.required", "address.points", "verification.payload"],

  handle({ account, params, body }) {
    const check = requireOpenCheck(account, params.id);
    account.records.move(addressCheck, check, "locate", locate(body, check));
    return viewResult(check);
  },
});
