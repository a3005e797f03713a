import * as Type from "typebox";
import { ElevenDigits } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { loadInventor } from "../people/inventor.js";
import { testValueOutcome } from "../test-values.js";
import { lookUp, report, type TestOutcome } from "./number-lookup.js";
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
  refuses: ["invalid_nin", "resource_not_found", "insufficient_balance"],
  outcomes: lookupOutcomes,
  price: "nin",
  freeTier: true,
  // Under 4 s in all, as in verifyBvn.
  latency: [500, 3500],
  assumptions: ["lookup.not_found", "lookup.match", "lookup.people"],

  testValue: ({ body }) => testValueOutcome("verifyNin", "nin", body.nin) as TestOutcome,
  prepare: loadInventor,

  handle(call) {
    const { body } = call;
    const { first_name, last_name } = body;
    const finding = lookUp(call, "nin", body.nin, { first_name, last_name });
    const { person } = finding;
    const data = person && {
      nin: body.nin,
      first_name: person.first_name,
      last_name: person.last_name,
      date_of_birth: person.date_of_birth,
      phone_number: person.phone_number,
      gender: person.gender,
    };
    return report(call, "nin", body.nin, finding, data);
  },
});
