/** Checks of BVN, NIN and driver's licence: the owner of the number, and how well the submitted details agree. */

import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import type { Decision } from "../../contract/operation.js";
import { DateOnly } from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import type { Assumptions } from "../assumptions.js";
import { Bvn, Nin, requireE164 } from "../numbers.js";
import { decideOutcome, operation } from "../operation.js";
import { type Licence, type NumberKind, normalNumber, type Person } from "../people/person.js";
import { findPerson, type Inventor, loadInventor } from "../people/registry.js";
import { testValueOutcome } from "../test-values.js";
import { nameSimilarity } from "./name-similarity.js";
import {
  BvnVerification,
  completeVerification,
  FrscVerification,
  LicenceNumber,
  NinVerification,
  unknownNumberRefused,
} from "./verification.js";

// Compares submitted details with a person; assumption lookup.match.

export interface Submitted {
  first_name?: string | undefined;
  last_name?: string | undefined;
  /** Date of birth, as YYYY-MM-DD. */
  date_of_birth?: string | undefined;
}

/** Lowest scores of a match and of a partial match. */
export const matchScore = 80;
const partialMatchScore = 50;

const weights = { name: 0.7, birth: 0.3 } as const;

/** Returns how well the details agree with the person, 0 to 100. Without any details it is 100. */
function crossMatch(person: Person, submitted: Submitted): number {
  const name = nameScore(person, submitted);
  const { date_of_birth } = submitted;
  if (date_of_birth === undefined) return name ?? 100;
  const birth = date_of_birth === person.date_of_birth ? 100 : 0;
  return name === null ? birth : Math.round(weights.name * name + weights.birth * birth);
}

/** Returns the similarity of the names. The middle name may be missing, and first and last name may be swapped. */
function nameScore({ first_name, middle_name, last_name }: Person, submitted: Submitted): number | null {
  const given = submitted.first_name?.trim() || null;
  const family = submitted.last_name?.trim() || null;
  const middle = middle_name ?? "";
  if (given && family)
    return bestSimilarity(`${given} ${family}`, [
      `${first_name} ${last_name}`,
      `${first_name} ${middle} ${last_name}`,
    ]);
  if (given) return bestSimilarity(given, [first_name, `${first_name} ${middle}`]);
  return family ? bestSimilarity(family, [last_name]) : null;
}

const bestSimilarity = (name: string, candidates: readonly string[]): number =>
  Math.max(...candidates.map((candidate) => nameSimilarity(name, candidate)));

// Looks up the owner of a number, compares them with the submitted details, and builds the reply.

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
  /** Score from 0 to 100. */
  score: number;
}

interface FoundPerson extends LookupResult {
  /** Owner of the number. Null if the outcome is `not_found`. */
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
function lookUpNumber(call: LookupCall, kind: NumberKind, number: string, submitted: Submitted): FoundPerson {
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

/** Returns the submitted details that the invented owner shares: all for a match, the last name for a partial match. */
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
  refuses: ["validation_error", "invalid_bvn", "phone_number_required", "invalid_phone"],
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
    const today = account.clock.today();
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
  refuses: ["invalid_nin"],
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

/**
 * Returns the licence's status by the account's clock. A licence that was registered as expired is expired regardless
 * of its date.
 */
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
  refuses: ["invalid_licence_number"],
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
