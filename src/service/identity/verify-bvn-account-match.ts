import * as Type from "typebox";
import { AccountNumber, BankCode, ElevenDigits } from "../../contract/schemas.js";
import { operation } from "../operation.js";
import { loadInventor } from "../people/inventor.js";
import { fullName } from "../people/names.js";
import type { Person } from "../people/person.js";
import { findPerson } from "../people/registry.js";
import { settle } from "../settle.js";
import { testValueOutcome } from "../test-values.js";
import { inventedOwner, knownOwner, type Owner } from "./bank-account-owner.js";
import { matchFrom } from "./cross-match.js";
import { similarity } from "./name-similarity.js";
import { type LookupOutcome, outcomeOf, report, scores, type TestOutcome } from "./number-lookup.js";
import { lookupOutcomes } from "./outcomes.js";
import { BvnAccountMatch } from "./schemas.js";

const statuses = {
  match: "FULL_MATCH",
  partial_match: "PARTIAL_MATCH",
  no_match: "NO_MATCH",
  not_found: "NO_MATCH",
} as const;

/** Two people never match in full, however alike their names are. */
const compare = (owner: Owner, holder: Person): number => {
  const score = similarity(owner.account_name, fullName(holder));
  return owner.person.bvn === holder.bvn ? score : Math.min(score, matchFrom - 1);
};

export const verifyBvnAccountMatch = operation({
  id: "verifyBvnAccountMatch",
  route: "POST /v1/verify/bvn-account-match",
  summary: "Check that a bank account belongs to the owner of a BVN",
  auth: "key",
  body: Type.Object({ account_number: AccountNumber, bank_code: BankCode, bvn: ElevenDigits("invalid_bvn") }),
  reply: { 200: BvnAccountMatch },
  refuses: [
    "invalid_account_number",
    "invalid_bank_code",
    "invalid_bvn",
    "resource_not_found",
    "insufficient_balance",
  ],
  outcomes: lookupOutcomes,
  price: "bvn_account_match",
  freeTier: true,
  assumptions: ["lookup.not_found", "lookup.match", "lookup.people"],

  testValue: ({ body }) =>
    (testValueOutcome("verifyBvnAccountMatch", "bvn", body.bvn) ??
      testValueOutcome("verifyBvnAccountMatch", "account number", body.account_number)) as TestOutcome,
  prepare: loadInventor,

  handle(call) {
    const { account_number, bank_code, bvn } = call.body;
    const { account, decision, prepared } = call;
    const known = knownOwner(call, bank_code, account_number);
    const isOpen = known.isKnown && decision.by === "default";
    const holder = findPerson(account, "bvn", bvn)?.person;
    let score: number | null = null;
    if (isOpen && known.owner) {
      score = compare(known.owner, holder ?? prepared.personBehind(account.origin.seed, "bvn", bvn));
      settle(call, outcomeOf(score));
    } else if (isOpen) settle(call, "not_found");
    const names = holder && namesOf(holder, call.outcome);
    const { account_name } = known.owner ?? inventedOwner(call, bank_code, account_number, names);
    const { outcome } = call;
    const percentage = score ?? scores[outcome];
    return report(
      call,
      "bvn_account_match",
      account_number,
      { outcome, score: percentage },
      {
        account_number,
        account_name,
        match_status: statuses[outcome],
        match_percentage: percentage,
      },
    );
  },
});

/** An account that nobody is known to have is the BVN's holder's, as far as the outcome says so. */
function namesOf({ first_name, middle_name, last_name }: Person, outcome: LookupOutcome): Partial<Person> {
  if (outcome === "match") return { first_name, middle_name, last_name };
  return outcome === "partial_match" ? { last_name } : {};
}
