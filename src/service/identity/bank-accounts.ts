/** Checks of bank accounts: the owner's name, and whether a BVN belongs to the owner. */

import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account/account.js";
import type { Assumptions } from "../assumptions.js";
import { bankOf, isBankCode } from "../banks.js";
import { AccountNumber, BankCode, Bvn } from "../numbers.js";
import { decideOutcome, operation } from "../operation.js";
import { type BankAccount, fullName, type Person } from "../people/person.js";
import { findPerson, type Inventor, loadInventor } from "../people/registry.js";
import { testValueOutcome } from "../test-values.js";
import { nameSimilarity } from "./name-similarity.js";
import {
  completeLookup,
  type LookupOutcome,
  lookupOutcomes,
  matchScore,
  outcomeOfScore,
  requestedScores,
} from "./number-checks.js";
import { BankAccountVerification, BvnAccountMatch, unknownNumberRefused } from "./verification.js";

// Finds the owner of a bank account, and the account name at the bank.

interface AccountCall {
  account: Account;
  assumptions: Assumptions;
  prepared: Inventor;
}

export interface AccountOwner {
  person: Person;
  account_name: string;
}

export interface KnownAccount {
  /** Whether a known person has this account number, at this or another bank. */
  isKnown: boolean;
  /** Known person who has this account number at this bank; null if there is none. */
  owner: AccountOwner | null;
}

/** Finds the known owner of an account. Refuses an unknown bank with 400 invalid_bank_code. */
export function findAccountOwner(call: AccountCall, bank_code: string, account_number: string): KnownAccount {
  if (!isBankCode(bank_code, call.assumptions)) {
    const message = `bank_code must be a central-bank code in use, such as 058; got ${JSON.stringify(bank_code)}.`;
    return refuse("invalid_bank_code", { param: "bank_code", message });
  }
  const person = findPerson(call.account, "account", account_number)?.person;
  const held = person && findAccount(person, account_number);
  const isHere = held !== undefined && bankOf(held.bank_code).code === bankOf(bank_code).code;
  const owner = person && isHere ? { person, account_name: held.account_name } : null;
  return { isKnown: person !== undefined, owner };
}

/** Invents an owner, with the given names if any, for an account that belongs to no known person. */
export function inventAccountOwner(
  { account, prepared }: AccountCall,
  bank_code: string,
  account_number: string,
  names: Partial<Person> = {},
): AccountOwner {
  const given = { ...names, account: { bank_code, account_number } };
  const person = prepared.personBehind(account.origin.seed, "account", account_number, given);
  return { person, account_name: findAccount(person, account_number)?.account_name ?? "" };
}

const findAccount = ({ bank_accounts }: Person, number: string): BankAccount | undefined =>
  bank_accounts.find(({ account_number }) => account_number === number);

export const verifyBankAccount = operation({
  id: "verifyBankAccount",
  route: "POST /v1/verify/bank-account",
  summary: "Look up the name of a bank account",
  description: "Reports not_found if the account number and the bank do not match.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({ account_number: AccountNumber, bank_code: BankCode }),
  reply: { 200: BankAccountVerification },
  refuses: ["invalid_account_number", "invalid_bank_code"],
  refusesWhile: [unknownNumberRefused],
  outcomes: lookupOutcomes,
  price: "bank_account",
  freeTier: true,
  assumptions: ["banks", "lookup.match", "lookup.people"],

  testValue: ({ body }) => testValueOutcome("verifyBankAccount", "account number", body.account_number),
  prepare: loadInventor,

  handle(call) {
    const { account_number, bank_code } = call.body;
    const { owner, isKnown } = findAccountOwner(call, bank_code, account_number);
    if (isKnown && call.decision.by === "default") decideOutcome(call, owner ? "match" : "not_found");
    const { outcome } = call;
    const { account_name } = owner ?? inventAccountOwner(call, bank_code, account_number);
    const data = { account_number, account_name, bank_code };
    return completeLookup(
      call,
      "bank_account",
      account_number,
      { outcome, score: requestedScores[outcome] },
      data,
    );
  },
});

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

/** Returns the names that the invented owner of an unknown account shares with the BVN's holder under this outcome. */
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
  refuses: ["invalid_account_number", "invalid_bank_code", "invalid_bvn"],
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
