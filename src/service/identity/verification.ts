/** Interface: "Verification record": its replies, the stored record and the end of a check. */

import * as Type from "typebox";
import type { Kobo } from "../../contract/money.js";
import type { RefusalWhile } from "../../contract/operation.js";
import {
  Currency,
  coded,
  DateOnly,
  e164,
  exactly,
  id,
  naira,
  nullable,
  Timestamp,
} from "../../contract/schemas.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { type Assumptions, whileIn } from "../assumptions.js";
import { machine, record } from "../machine.js";
import type { CompletedVerification } from "../webhooks/events.js";

// Interface: "Verification record" and its table of per-type data. Which replies have the fields that the table marks
// "where present" is assumption verification.reply_fields.

export const VerificationId = id("ver_");
const Score = Type.Number({ minimum: 0, maximum: 100 });

export const LicenceNumber = (example: string) =>
  Type.String({
    pattern: "^[A-Za-z0-9]([ /-]?[A-Za-z0-9]){3,19}$",
    examples: [example],
    ...coded("invalid_licence_number", "4 to 20 letters or digits, such as ABC000000000"),
  });

/** Refusal of number lookups for a number without a record, under one value of the assumption. */
export const unknownNumberRefused = {
  assumption: "lookup.not_found",
  value: "refused",
  codes: ["resource_not_found"],
} as const satisfies RefusalWhile;

/** Replaces a field's schema under the switch that refuses numbers without a record. */
const ifRefused = (schema: Type.TSchema) =>
  whileIn(unknownNumberRefused.assumption, unknownNumberRefused.value, schema);
const elevenDigits = Type.String({ pattern: "^[0-9]{11}$" });

/** Fields that the interface marks "where present", in the reply to every verification under `all`. */
const marked = { cost: naira(), currency: Currency, is_test: Type.Boolean(), created_at: Timestamp };

/** Returns the schema of a verification's reply. */
const verificationReply = <Fields extends Type.TProperties>(fields: Fields) =>
  exactly(
    { id: VerificationId, ...fields },
    whileIn("verification.reply_fields", "all", exactly({ id: VerificationId, ...fields, ...marked })),
  );

const lookup = <Name extends string, Data extends Type.TProperties>(type: Name, data: Data) =>
  verificationReply({
    type: Type.Literal(type),
    status: Type.Enum(["success", "not_found"], ifRefused(Type.Literal("success"))),
    match: Type.Boolean(),
    confidence_score: Score,
    data: nullable(exactly(data), { description: "null if not found", ...ifRefused(exactly(data)) }),
  });

export const BvnVerification = lookup("bvn", {
  bvn: elevenDigits,
  date_of_birth: DateOnly,
  phone_number: e164,
  gender: Type.String(),
});

export const NinVerification = lookup("nin", {
  nin: elevenDigits,
  first_name: Type.String(),
  last_name: Type.String(),
  date_of_birth: DateOnly,
  phone_number: e164,
  gender: Type.String(),
});

export const FrscVerification = lookup("frsc", {
  licence_status: Type.String(),
  expiry_date: DateOnly,
  licence_class: Type.String(),
  state_of_issue: Type.String(),
});

export const BankAccountVerification = lookup("bank_account", {
  account_number: Type.String(),
  account_name: Type.String(),
  bank_code: Type.String(),
});

export const BvnAccountMatch = lookup("bvn_account_match", {
  account_number: Type.String(),
  account_name: Type.String(),
  match_status: Type.Enum(["FULL_MATCH", "PARTIAL_MATCH", "NO_MATCH"]),
  match_percentage: Score,
});

export const DocumentVerification = verificationReply({
  type: Type.Literal("document"),
  status: Type.Literal("success"),
  match: Type.Null(),
  data: exactly({ full_name: Type.String(), document_number: Type.String(), expiry_date: DateOnly }),
  cost: naira(),
});

export const LivenessVerification = verificationReply({
  type: Type.Literal("liveness"),
  status: Type.Literal("success"),
  match: Type.Null(),
  confidence_score: Type.Number({ minimum: 0, maximum: 100, description: "75 or more is live" }),
  data: Type.Null(),
  cost: naira(),
});

export const FaceMatchVerification = verificationReply({
  type: Type.Literal("face_match"),
  status: Type.Literal("success"),
  match: Type.Boolean(),
  confidence_score: Score,
  data: Type.Null(),
  cost: naira(),
});

// A completed check, with a single move so that it is stored among the records.

/** Interface: "Delivery payload (verification.completed)". */
type CompletedPayload = Omit<Type.Static<typeof CompletedVerification>, "type" | "status">;

export type VerificationStatus = "success" | "not_found";

/** A verification of any type, as the control API shows it. */
const StoredVerification = exactly({
  id: VerificationId,
  type: Type.String(),
  status: Type.Enum(["success", "not_found"]),
  match: nullable(Type.Boolean()),
  confidence_score: nullable(Score),
  /** Number that was checked, with all but the last two characters masked. Null for checks of photos without a number. */
  identifier: nullable(Type.String()),
  ...marked,
});

export const verificationRecord = record(StoredVerification, {
  hidden: {
    /** Content of verification.completed; null for lookups by number, which send no event. */
    completed: nullable(Type.Unsafe<CompletedPayload>(Type.Object({}))),
  },
});

/** The subject of a check in sentences, by type. */
const subjects: Readonly<Record<string, string>> = {
  bvn: "a BVN",
  nin: "a NIN",
  frsc: "a driver's licence",
  bank_account: "a bank account",
  bvn_account_match: "a BVN and a bank account",
  document: "an ID document",
  liveness: "a selfie",
  face_match: "a face",
};

function describeResult({ type, state, match, completed }: RecordIn<typeof verificationRecord>): string {
  if (state === "not_found") return "not found";
  if (type === "document") return "it was read";
  if (type === "liveness") return completed?.checks.live ? "a live person" : "not a live person";
  return match ? "a match" : "no match";
}

export const verification = machine(verificationRecord, {
  name: "verification",
  prefix: "ver_",
  moves: {
    complete: {
      from: "new",
      to: ["success", "not_found"],
      next: (_record, status: VerificationStatus) => status,
      emits: "verification.completed",
      says: (record) => `A check of ${subjects[record.type]} was completed: ${describeResult(record)}.`,
    },
  },
  event: ({ id, type, state, completed }) =>
    completed && { jobId: id, data: { type, status: state, ...completed } },
});

interface Result<T, S, M> {
  type: T;
  status: S;
  match: M;
  confidence_score: number | null;
  /** Number that was looked up or read; null if there is none. */
  identifier: string | null;
  cost: Kobo;
  /** Content of verification.completed; null sends no event. */
  completed: CompletedPayload | null;
}

/**
 * Saves a verification with its identifier masked, and returns the fields that every reply begins with. Call inside a
 * commit.
 */
export function completeVerification<
  const T extends string,
  const S extends VerificationStatus,
  const M extends boolean | null,
>({ account, assumptions }: { account: Account; assumptions: Assumptions }, result: Result<T, S, M>) {
  const { type, status, match, confidence_score, identifier, cost, completed } = result;
  const is_test = !account.live;
  const masked = identifier && mask(identifier);
  const fields = { type, match, confidence_score, cost, completed, identifier: masked, is_test };
  const record = account.records.start(verification, "complete", fields, status);
  return { id: record.id, type, status, match, ...markedFields(verification.view(record), assumptions) };
}

/** Returns the additional fields of a reply under `all` of assumption verification.reply_fields. */
const markedFields = (
  { cost, currency, is_test, created_at }: ReturnType<typeof verification.view>,
  assumptions: Assumptions,
) => (assumptions["verification.reply_fields"] === "all" ? { cost, currency, is_test, created_at } : {});

/** Masks an identifier, as in `*********76`. */
const mask = (identifier: string): string =>
  "*".repeat(Math.max(0, identifier.length - 2)) + identifier.slice(-2);
