import * as Type from "typebox";
import { VirtualAccount } from "../../contract/resources.js";
import { ElevenDigits } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { customer } from "./schemas.js";

export const createVirtualAccount = operation({
  id: "createVirtualAccount",
  route: "POST /v1/business/virtual-accounts",
  summary: "Create a bank account number for a customer",
  description:
    "Live keys must send bvn or nin; it is used once and not stored. Test keys get a test account number.",
  auth: "key",
  body: Type.Object({
    ...customer,
    reference: Type.Optional(
      Type.String({ minLength: 1, description: "Unique", "x-assumption": "business.reference" }),
    ),
    bvn: Type.Optional(ElevenDigits("invalid_bvn")),
    nin: Type.Optional(ElevenDigits("invalid_nin")),
  }),
  reply: { 201: VirtualAccount },
  refuses: [
    "invalid_bvn",
    "invalid_nin",
    "missing_field",
    "business_profile_required",
    "duplicate_reference",
  ],
  emits: ["virtual_account.created"],
  assumptions: ["business.reference", "ids"],
});
