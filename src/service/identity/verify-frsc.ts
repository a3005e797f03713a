import * as Type from "typebox";
import type { Account } from "../../world/account/account.js";
import { operation } from "../operation.js";
import { normalNumber } from "../people/identity-numbers.js";
import type { Licence, Person } from "../people/person.js";
import { loadInventor } from "../people/registry.js";
import { testValueOutcome } from "../test-values.js";
import { completeLookup, lookUpNumber, lookupOutcomes } from "./number-lookup.js";
import { FrscVerification, LicenceNumber, unknownNumberRefused } from "./schemas.js";

/** Returns the licence's status by the account's clock. Only a licence that was registered as expired expires earlier. */
function statusOf(person: Person, { status, expiry_date }: Licence, { clock }: Account): Licence["status"] {
  if (expiry_date < clock.today()) return "expired";
  const isRegistered = "id" in person;
  return status === "expired" && !isRegistered ? "valid" : status;
}

const normalLicence = (number: string): string => normalNumber("licence", number) ?? number;

export const verifyFrsc = operation({
  id: "verifyFrsc",
  route: "POST /v1/verify/frsc",
  summary: "Look up a driver's licence",
  description: "The optional names are used for cross-match scoring.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({
    licence_number: LicenceNumber("ABC000000000"),
    first_name: Type.Optional(Type.String()),
    last_name: Type.Optional(Type.String()),
  }),
  reply: { 200: FrscVerification },
  refuses: ["invalid_licence_number", "resource_not_found", "insufficient_balance"],
  refusesWhile: [unknownNumberRefused],
  outcomes: lookupOutcomes,
  price: "frsc",
  freeTier: true,
  assumptions: ["banks", "lookup.match", "lookup.people"],

  testValue: ({ body }) => testValueOutcome("verifyFrsc", "licence", normalLicence(body.licence_number)),
  prepare: loadInventor,

  handle(call) {
    const { first_name, last_name, licence_number } = call.body;
    const number = normalLicence(licence_number);
    const found = lookUpNumber(call, "licence", number, { first_name, last_name });
    const { person } = found;
    const licence = person?.licence;
    const data = licence && {
      licence_status: statusOf(person, licence, call.account),
      expiry_date: licence.expiry_date,
      licence_class: licence.class,
      state_of_issue: licence.state_of_issue,
    };
    return completeLookup(call, "frsc", number, found, data ?? null);
  },
});
