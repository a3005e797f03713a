import * as Type from "typebox";
import { ElevenDigits } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { lookupOutcomes } from "./outcomes.js";
import { NinVerification } from "./schemas.js";

export const verifyNin = operation({
  id: "verifyNin",
  route: "POST /v1/verify/nin",
  summary: "Look up a NIN",
  description: "The optional names are used for the cross-match, which the service performs.",
  auth: "key",
  body: Type.Object({
    nin: ElevenDigits("invalid_nin"),
    first_name: Type.Optional(Type.String()),
    last_name: Type.Optional(Type.String()),
  }),
  reply: { 200: NinVerification },
  refuses: ["invalid_nin", "insufficient_balance"],
  outcomes: lookupOutcomes,
  price: "nin",
  latency: [500, 3900],
});
