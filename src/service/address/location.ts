import * as Type from "typebox";
import { operation } from "../operation.js";
import { AddressLocationResult } from "./schemas.js";

export const submitAddressLocation = operation({
  id: "submitAddressLocation",
  route: "POST /v1/verify/address/{id}/location",
  summary: "Submit where the person is",
  auth: "key",
  params: Type.Object({ id: Type.String({ description: "The verification's id" }) }),
  body: Type.Object({
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    accuracy_m: Type.Number({ minimum: 0, description: "The accuracy that the phone reports, in metres" }),
  }),
  reply: { 200: AddressLocationResult },
  refuses: ["resource_not_found", "invalid_state", "link_expired"],
  emits: ["verification.completed"],
  assumptions: ["address.required", "address.points"],
});
