import * as Type from "typebox";
import { DateOnly, ElevenDigits } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { lookupOutcomes } from "./outcomes.js";
import { BvnVerification } from "./schemas.js";

export const verifyBvn = operation({
  id: "verifyBvn",
  route: "POST /v1/verify/bvn",
  summary: "Look up a BVN",
  description: "The optional names and date of birth are used for cross-match scoring.",
  auth: "key",
  body: Type.Object({
    bvn: ElevenDigits("invalid_bvn"),
    phone_number: Type.Optional(Type.String({ description: "Required on live keys, ignored by test keys" })),
    first_name: Type.Optional(Type.String()),
    last_name: Type.Optional(Type.String()),
    date_of_birth: Type.Optional(DateOnly),
  }),
  reply: { 200: BvnVerification },
  refuses: ["invalid_bvn", "phone_number_required", "insufficient_balance"],
  outcomes: lookupOutcomes,
  price: "bvn",
  latency: [400, 2900],
});
