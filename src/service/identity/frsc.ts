import * as Type from "typebox";
import { coded } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { lookupOutcomes } from "./outcomes.js";
import { FrscVerification } from "./schemas.js";

const LicenceNumber = Type.String({
  pattern: "^[A-Za-z]{3}[ -]?[A-Za-z0-9]{6,12}$",
  examples: ["ABC000000000"],
  ...coded("invalid_licence_number", "three letters and then 6 to 12 letters or digits"),
});

export const verifyFrsc = operation({
  id: "verifyFrsc",
  route: "POST /v1/verify/frsc",
  summary: "Look up a driver's licence",
  auth: "key",
  body: Type.Object({
    licence_number: LicenceNumber,
    first_name: Type.Optional(Type.String()),
    last_name: Type.Optional(Type.String()),
  }),
  reply: { 200: FrscVerification },
  refuses: ["invalid_licence_number", "insufficient_balance"],
  outcomes: lookupOutcomes,
  price: "frsc",
});
