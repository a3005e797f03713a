import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { DateOnly, ElevenDigits } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { loadInventor } from "../people/inventor.js";
import { checkPhone } from "../phone/phone-numbers.js";
import { testValueOutcome } from "../test-values.js";
import { lookUp, report, type TestOutcome } from "./number-lookup.js";
import { lookupOutcomes } from "./outcomes.js";
import { BvnVerification } from "./schemas.js";

/** Live keys must send it (the upstream provider refuses the check without); test keys may send what they like. */
function checkLivePhone(phone: string | undefined): void {
  if (phone === undefined) refuse("phone_number_required", { param: "phone_number" });
  else checkPhone("phone_number", phone);
}

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
  refuses: [
    "invalid_bvn",
    "phone_number_required",
    "invalid_phone",
    "resource_not_found",
    "insufficient_balance",
  ],
  outcomes: lookupOutcomes,
  price: "bvn",
  freeTier: true,
  // Under 3 s in all: the work itself, and what the first call loads, come on top.
  latency: [400, 2500],
  assumptions: ["lookup.not_found", "lookup.match", "lookup.people"],

  testValue: ({ body }) => testValueOutcome("verifyBvn", "bvn", body.bvn) as TestOutcome,
  prepare: loadInventor,

  handle(call) {
    const { account, body } = call;
    if (account.live) checkLivePhone(body.phone_number);
    const finding = lookUp(call, "bvn", body.bvn, body);
    const { person } = finding;
    const data = person && {
      bvn: body.bvn,
      date_of_birth: person.date_of_birth,
      phone_number: person.phone_number,
      gender: person.gender,
    };
    return report(call, "bvn", body.bvn, finding, data);
  },
});
