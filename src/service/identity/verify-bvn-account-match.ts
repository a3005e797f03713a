import * as Type from "typebox";
import { AccountNumber, BankCode, Bvn } from "../numbers.js";
import { decideOutcome, operation } from "../operation.js";
import { fullName, type Person } from "../people/person.js";
import { findPerson, loadInventor } from "../people/registry.js";
import { testValueOutcome } from "../test-values.js";
import { type AccountOwner, findAccountOwner, inventAccountOwner } from "./bank-account-owner.js";
import { matchScore } from "./cross-match.js";
import { nameSimilarity } from "./name-similarity.js";
import {
  completeLookup,
  type LookupOutcome,
  lookupOutcomes,
  outcomeOfScore,
  requestedScores,
} from "./number-lookup.js";
import { BvnAccountMatch, unknownNumberRefused } from "./schemas.js";

const statuses = {
  match: "FULL_MATCH",
  partial_match: "PARTIAL_MATCH",
  no_match: "NO_MATCH",
  not_found: "NO_MATCH",
} as const;

/** Returns the similarity of the names. Different people never match in full, however similar their names are. */
function compareNames(owner: AccountOwner, holder: Person): number {
  const score = nameSimilarity(owner.account_name, fullName(holder));
  return owner.person.bvn === holder.bvn ? score : Math.min(score, matchScore - 1);
}

/** Returns the names of the BVN's holder that the invented owner of an unknown account has, under this outcome. */
function sharedNames(
  { first_name, middle_name, last_name }: Person,
  outcome: LookupOutcome,
): Partial<Person> {
  if (outcome === "match") return { first_name, middle_name, last_name };
  return outcome === "partial_match" ? { last_name } : {};
}

export const verifyBvnAccountMatch = operation({
  id: "verifyBvnAccountMatch",
  route: "POST /v1/verify/bvn-account-match",
  summary: "Check that a bank account belongs to the owner of a BVN",
  description: "A match means that the owner of the account and of the BVN are the same person.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({ account_number: AccountNumber, bank_code: BankCode, bvn: Bvn }),
  reply: { 200: BvnAccountMatch },
  refuses: [
    "invalid_account_number",
    "invalid_bank_code",
    "invalid_bvn",
    "resource_not_found",
    "insufficient_balance",
  ],
  refusesWhile: [unknownNumberRefused],
  outcomes: lookupOutcomes,
  price: "bvn_account_match",
  freeTier: true,
  assumptions: ["banks", "lookup.match", "lookup.people"],

  testValue: ({ body }) =>
    testValueOutcome("verifyBvnAccountMatch", "bvn", body.bvn) ??
    testValueOutcome("verifyBvnAccountMatch", "account number", body.account_number),
  prepare: loadInventor,

  handle(call) {
    const { account_number, bank_code, bvn } = call.body;
    const { account, decision, prepared } = call;
    const known = findAccountOwner(call, bank_code, account_number);
    const isUndecided = known.isKnown && decision.by === "default";
    const holder = findPerson(account, "bvn", bvn)?.person;
    let score: number | null = null;
    if (isUndecided && known.owner) {
      score = compareNames(known.owner, holder ?? prepared.personBehind(account.origin.seed, "bvn", bvn));
      decideOutcome(call, outcomeOfScore(score));
    } else if (isUndecided) decideOutcome(call, "not_found");
    const { outcome } = call;
    const names = holder && sharedNames(holder, outcome);
    const { account_name } = known.owner ?? inventAccountOwner(call, bank_code, account_number, names);
    const match_percentage = score ?? requestedScores[outcome];
    return completeLookup(
      call,
      "bvn_account_match",
      account_number,
      { outcome, score: match_percentage },
      { account_number, account_name, match_status: statuses[outcome], match_percentage },
    );
  },
});
