import * as Type from "typebox";
import { DateOnly } from "../../contract/schemas.js";
import { Bvn } from "../numbers.js";
import { operation } from "../operation.js";
import { loadInventor } from "../people/registry.js";
import { requireE164 } from "../phone/phone-numbers.js";
import { testValueOutcome } from "../test-values.js";
import { completeLookup, lookUpNumber, lookupOutcomes } from "./number-lookup.js";
import { BvnVerification, unknownNumberRefused } from "./schemas.js";

export const verifyBvn = operation({
  id: "verifyBvn",
  route: "POST /v1/verify/bvn",
  summary: "Look up a BVN",
  description: "The optional names and date of birth are used for cross-match scoring.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({
    bvn: Bvn,
    phone_number: Type.Optional(
      Type.Unknown({
        description: "A phone number as text. Required on live keys, ignored by test keys whatever it is",
        examples: ["08031234567"],
      }),
    ),
    first_name: Type.Optional(Type.String()),
    last_name: Type.Optional(Type.String()),
    date_of_birth: Type.Optional(DateOnly),
  }),
  reply: { 200: BvnVerification },
  refuses: [
    "validation_error",
    "invalid_bvn",
    "phone_number_required",
    "invalid_phone",
    "resource_not_found",
    "insufficient_balance",
  ],
  refusesWhile: [unknownNumberRefused],
  outcomes: lookupOutcomes,
  price: "bvn",
  freeTier: true,
  // The interface promises under 3 s; processing and first-use loading are added to this.
  latency: [400, 2500],
  assumptions: ["phone.notations", "lookup.match", "lookup.people"],

  testValue: ({ body }) => testValueOutcome("verifyBvn", "bvn", body.bvn),
  prepare: loadInventor,

  handle(call) {
    const { account, body, refuse } = call;
    const today = account.clock.iso().slice(0, "YYYY-MM-DD".length);
    if (body.date_of_birth !== undefined && body.date_of_birth > today) {
      const message = `date_of_birth must not be after today, ${today}; got ${body.date_of_birth}.`;
      return refuse("validation_error", { param: "date_of_birth", message });
    }
    if (account.live) {
      // The upstream provider refuses a check without a phone number.
      const { phone_number } = body;
      if (phone_number === undefined || phone_number === null)
        return refuse("phone_number_required", { param: "phone_number" });
      if (typeof phone_number !== "string") {
        const message = `phone_number must be a string; got ${typeof phone_number}.`;
        return refuse("validation_error", { param: "phone_number", message });
      }
      requireE164("phone_number", phone_number);
    }
    const found = lookUpNumber(call, "bvn", body.bvn, body);
    const { person } = found;
    const data = person && {
      bvn: body.bvn,
      date_of_birth: person.date_of_birth,
      phone_number: person.phone_number,
      gender: person.gender,
    };
    return completeLookup(call, "bvn", body.bvn, found, data);
  },
});
