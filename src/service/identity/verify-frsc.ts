import * as Type from "typebox";
import { coded } from "../../contract/schemas.js";
import type { Account } from "../../world/account.js";
import { operation } from "../operation.js";
import { normalNumber } from "../people/identity-numbers.js";
import { loadInventor } from "../people/inventor.js";
import type { Licence, Person } from "../people/person.js";
import { testValueOutcome } from "../test-values.js";
import { lookUp, report, type TestOutcome } from "./number-lookup.js";
import { lookupOutcomes } from "./outcomes.js";
import { FrscVerification } from "./schemas.js";

/** A licence runs out on the account's clock, whoever has it; sooner only where a tester registered it as expired. */
function statusOf(person: Person, { status, expiry_date }: Licence, { clock }: Account): Licence["status"] {
  if (expiry_date < clock.today()) return "expired";
  const isRegistered = "id" in person;
  return status === "expired" && !isRegistered ? "valid" : status;
}

const plainLicence = (number: string): string => normalNumber("licence", number) ?? number;

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
  refuses: ["invalid_licence_number", "resource_not_found", "insufficient_balance"],
  outcomes: lookupOutcomes,
  price: "frsc",
  freeTier: true,
  assumptions: ["lookup.not_found", "lookup.match", "lookup.people"],

  testValue: ({ body }) =>
    testValueOutcome("verifyFrsc", "licence", plainLicence(body.licence_number)) as TestOutcome,
  prepare: loadInventor,

  handle(call) {
    const { first_name, last_name, licence_number } = call.body;
    const number = plainLicence(licence_number);
    const finding = lookUp(call, "licence", number, { first_name, last_name });
    const { person } = finding;
    const licence = person?.licence;
    const data = licence && {
      licence_status: statusOf(person, licence, call.account),
      expiry_date: licence.expiry_date,
      licence_class: licence.class,
      state_of_issue: licence.state_of_issue,
    };
    return report(call, "frsc", number, finding, data ?? null);
  },
});
