/** Looks up the owner of a number, compares them with the submitted details, and builds the reply. */
import type { Decision } from "../../contract/decision.js";
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account/account.js";
import type { Assumptions } from "../assumptions.js";
import { decideOutcome } from "../operation.js";
import type { Person } from "../people/person.js";
import { findPerson, type Inventor, type NumberKind } from "../people/registry.js";
import { completeVerification } from "./complete-verification.js";
import { crossMatch, matchScore, partialMatchScore, type Submitted } from "./cross-match.js";

export const lookupOutcomes = {
  match: "the record exists and agrees with what was submitted",
  partial_match: "the record exists and agrees in part: match false, confidence_score about 65",
  no_match: "the record exists and belongs to someone else: match false",
  not_found: "no such record: status not_found, match false, data null",
} as const;
export type LookupOutcome = keyof typeof lookupOutcomes;

export interface LookupCall {
  account: Account;
  assumptions: Assumptions;
  decision: Decision<LookupOutcome>;
  outcome: LookupOutcome;
  cost: number;
  prepared: Inventor;
}

export interface LookupResult {
  outcome: LookupOutcome;
  /** 0 to 100. */
  score: number;
}

interface FoundPerson extends LookupResult {
  /** Null if the outcome is `not_found`. */
  person: Person | null;
}

/** Scores of outcomes that were requested by name. */
export const requestedScores: Readonly<Record<LookupOutcome, number>> = {
  match: 100,
  partial_match: 65,
  no_match: 20,
  not_found: 0,
};

export const outcomeOfScore = (score: number): LookupOutcome =>
  score >= matchScore ? "match" : score >= partialMatchScore ? "partial_match" : "no_match";

/**
 * Finds the owner of a number. Known people are compared with the submitted details; the invented owner of an unknown
 * number has the submitted names.
 */
export function lookUpNumber(
  call: LookupCall,
  kind: NumberKind,
  number: string,
  submitted: Submitted,
): FoundPerson {
  const { account, decision, outcome, prepared } = call;
  if (decision.by !== "default" && outcome === "not_found") return { outcome, person: null, score: 0 };
  const known = findPerson(account, kind, number)?.person;
  if (decision.by === "default" && known) {
    const score = crossMatch(known, submitted);
    decideOutcome(call, outcomeOfScore(score));
    return { outcome: outcomeOfScore(score), person: known, score };
  }
  const shared = sharedDetails(outcome, submitted);
  const person = known ?? prepared.personBehind(account.origin.seed, kind, number, shared);
  return { outcome, person, score: requestedScores[outcome] };
}

/** Returns the submitted details that the invented owner has: all for a match, the last name for a partial match. */
function sharedDetails(outcome: LookupOutcome, submitted: Submitted): Partial<Person> {
  const shared: Partial<Person> = {};
  if (outcome === "no_match") return shared;
  const last_name = submitted.last_name?.trim();
  if (last_name) shared.last_name = last_name;
  if (outcome === "partial_match") return shared;
  const first_name = submitted.first_name?.trim();
  if (first_name) shared.first_name = first_name;
  if (submitted.date_of_birth) shared.date_of_birth = submitted.date_of_birth;
  return shared;
}

/** Saves the verification and returns the reply; assumption lookup.not_found. Call inside a commit. */
export function completeLookup<const T extends string, Data>(
  call: LookupCall,
  type: T,
  identifier: string,
  { outcome, score: confidence_score }: LookupResult,
  data: Data | null,
) {
  const { assumptions, cost } = call;
  const isFound = outcome !== "not_found";
  if (!isFound && assumptions["lookup.not_found"] === "refused") {
    const message = "No record was found for this number.";
    refuse("resource_not_found", { message, byOutcome: true });
  }
  const status = isFound ? ("success" as const) : ("not_found" as const);
  const match = outcome === "match";
  const result = { type, status, match, confidence_score, identifier, cost, completed: null };
  return { ...completeVerification(call, result), confidence_score, data: isFound ? data : null };
}
