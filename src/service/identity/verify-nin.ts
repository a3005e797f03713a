import * as Type from "typebox";
import { Nin } from "../numbers.js";
import { operation } from "../operation.js";
import { loadInventor } from "../people/registry.js";
import { testValueOutcome } from "../test-values.js";
import { completeLookup, lookUpNumber, lookupOutcomes } from "./number-lookup.js";
import { NinVerification, unknownNumberRefused } from "./schemas.js";

export const verifyNin = operation({
  id: "verifyNin",
  route: "POST /v1/verify/nin",
  summary: "Look up a NIN",
  description: "The optional names are used for a cross-match that the service performs.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({
    nin: Nin,
    first_name: Type.Optional(Type.String()),
    last_name: Type.Optional(Type.String()),
  }),
  reply: { 200: NinVerification },
  refuses: ["invalid_nin", "resource_not_found", "insufficient_balance"],
  refusesWhile: [unknownNumberRefused],
  outcomes: lookupOutcomes,
  price: "nin",
  freeTier: true,
  // The interface promises under 4 s; see verifyBvn.
  latency: [500, 3500],
  assumptions: ["lookup.match", "lookup.people"],

  testValue: ({ body }) => testValueOutcome("verifyNin", "nin", body.nin),
  prepare: loadInventor,

  handle(call) {
    const { body } = call;
    const { first_name, last_name } = body;
    const found = lookUpNumber(call, "nin", body.nin, { first_name, last_name });
    const { person } = found;
    const data = person && {
      nin: body.nin,
      first_name: person.first_name,
      last_name: person.last_name,
      date_of_birth: person.date_of_birth,
      phone_number: person.phone_number,
      gender: person.gender,
    };
    return completeLookup(call, "nin", body.nin, found, data);
  },
});
