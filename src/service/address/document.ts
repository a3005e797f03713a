import * as Type from "typebox";
import { MB } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { AddressDocumentResult } from "./schemas.js";

export const submitAddressDocument = operation({
  id: "submitAddressDocument",
  route: "POST /v1/verify/address/{id}/document",
  summary: "Submit a utility bill or bank statement",
  description: "The address and the name are compared and the image is discarded.",
  auth: "key",
  params: Type.Object({ id: Type.String({ description: "The verification's id" }) }),
  upload: {
    file: {
      maxBytes: 15 * MB,
      types: ["image/png", "image/jpeg", "image/webp", "application/pdf"],
      description: "Photo or scan of a utility bill or bank statement",
    },
  },
  reply: { 200: AddressDocumentResult },
  refuses: ["resource_not_found", "invalid_state", "link_expired"],
  outcomes: {
    match: "address and name agree: 20 points",
    address_mismatch: "the document shows another address: no points",
    name_mismatch: "the address agrees and the name does not: 10 points",
  },
  emits: ["verification.completed"],
  assumptions: ["address.required", "address.points", "uploads.limits"],
});
