/** Looks a number up: whose it is, how well that agrees with what was submitted, and the reply. */
import type { Assumptions } from "../../contract/assumptions.js";
import type { CommonOutcome, Decision } from "../../contract/decision.js";
import { refuse } from "../../contract/errors.js";
import type { Account } from "../../world/account.js";
import type { Inventor } from "../people/inventor.js";
import type { Person } from "../people/person.js";
import { findPerson, type NumberKind } from "../people/registry.js";
import { settle } from "../settle.js";
import { crossMatch, matchFrom, partialFrom, type Submitted } from "./cross-match.js";
import { masked, verification } from "./machine.js";
import type { lookupOutcomes } from "./outcomes.js";

export type LookupOutcome = keyof typeof lookupOutcomes;

/** What a lookup's handler knows of its call. */
export interface LookupCall {
  account: Account;
  assumptions: Assumptions;
  decision: Decision<LookupOutcome>;
  outcome: LookupOutcome;
  cost: number;
  prepared: Inventor;
}

export interface Finding {
  outcome: LookupOutcome;
  /** 0 to 100. */
  score: number;
}

interface Found extends Finding {
  /** Null: not found. */
  person: Person | null;
}

/** Scores of the outcomes that are asked for by name. */
export const scores: Readonly<Record<LookupOutcome, number>> = {
  match: 100,
  partial_match: 65,
  no_match: 20,
  not_found: 0,
};

export const outcomeOf = (score: number): LookupOutcome =>
  score >= matchFrom ? "match" : score >= partialFrom ? "partial_match" : "no_match";

/** A known person is compared; behind an unknown number stands one who bears what was submitted. */
export function lookUp(call: LookupCall, kind: NumberKind, number: string, submitted: Submitted): Found {
  const { account, decision, outcome, prepared } = call;
  if (decision.by !== "default" && outcome === "not_found") return { outcome, person: null, score: 0 };
  const known = findPerson(account, kind, number)?.person;
  if (decision.by === "default" && known) {
    const score = crossMatch(known, submitted);
    settle(call, outcomeOf(score));
    return { outcome: outcomeOf(score), person: known, score };
  }
  const bears = bearing(outcome, submitted);
  const person = known ?? prepared.personBehind(account.origin.seed, kind, number, bears);
  return { outcome, person, score: scores[outcome] };
}

/** Who matches bears all that was submitted, who matches in part the family name alone. */
function bearing(outcome: LookupOutcome, submitted: Submitted): Partial<Person> {
  const bears: Partial<Person> = {};
  if (outcome === "no_match") return bears;
  const family = submitted.last_name?.trim();
  if (family) bears.last_name = family;
  if (outcome === "partial_match") return bears;
  const given = submitted.first_name?.trim();
  if (given) bears.first_name = given;
  if (submitted.date_of_birth) bears.date_of_birth = submitted.date_of_birth;
  return bears;
}

/** Keeps the record, with its identifier masked, and makes the reply; assumption lookup.not_found. */
export function report<Type extends string, Data>(
  { account, assumptions, cost }: LookupCall,
  type: Type,
  identifier: string,
  { outcome, score }: Finding,
  data: Data | null,
) {
  if (outcome === "not_found" && assumptions["lookup.not_found"] === "refused") {
    refuse("resource_not_found", { message: "There is no record of what was looked up." });
  }
  const status = outcome === "not_found" ? ("not_found" as const) : ("success" as const);
  const match = outcome === "match";
  const record = account.records.start(
    verification,
    "complete",
    {
      type,
      match,
      confidence_score: score,
      identifier: masked(identifier),
      cost,
      is_test: !account.live,
      completed: null,
    },
    status,
  );
  return {
    id: record.id,
    type,
    status,
    match,
    confidence_score: score,
    data: outcome === "not_found" ? null : data,
  };
}

/** What a test value may ask of a lookup. */
export type TestOutcome = LookupOutcome | CommonOutcome | undefined;
