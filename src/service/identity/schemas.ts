/**
 * Interface: "Verification record" and its table of per-type data. Which replies have the fields that the table marks
 * "where present" is assumption verification.reply_fields.
 */
import * as Type from "typebox";
import type { RefusalWhile } from "../../contract/operation.js";
import {
  Currency,
  coded,
  DateOnly,
  exactly,
  id,
  naira,
  nullable,
  Timestamp,
} from "../../contract/schemas.js";
import { whileIn } from "../assumptions.js";

export const VerificationId = id("ver_");
export const Score = Type.Number({ minimum: 0, maximum: 100 });

export const LicenceNumber = (example: string) =>
  Type.String({
    pattern: "^[A-Za-z0-9]([ /-]?[A-Za-z0-9]){3,19}$",
    examples: [example],
    ...coded("invalid_licence_number", "4 to 20 letters or digits, such as ABC000000000"),
  });

/** Number lookups refuse a number without a record under one value of the assumption. */
export const unknownNumberRefused = {
  assumption: "lookup.not_found",
  value: "refused",
  codes: ["resource_not_found"],
} as const satisfies RefusalWhile;

/** Replaces a field's schema under the switch that refuses numbers without a record. */
const ifRefused = (schema: Type.TSchema) =>
  whileIn(unknownNumberRefused.assumption, unknownNumberRefused.value, schema);
const elevenDigits = Type.String({ pattern: "^[0-9]{11}$" });
const e164 = Type.String({ description: "E.164", examples: ["+2348031234567"] });

/** Fields that the interface marks "where present", in the reply to every verification under `all`. */
const marked = { cost: naira(), currency: Currency, is_test: Type.Boolean(), created_at: Timestamp };

/** Returns the schema of a verification's reply. */
const verification = <Fields extends Type.TProperties>(fields: Fields) =>
  exactly(
    { id: VerificationId, ...fields },
    whileIn("verification.reply_fields", "all", exactly({ id: VerificationId, ...fields, ...marked })),
  );

const lookup = <Name extends string, Data extends Type.TProperties>(type: Name, data: Data) =>
  verification({
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

export const DocumentVerification = verification({
  type: Type.Literal("document"),
  status: Type.Literal("success"),
  match: Type.Null(),
  data: exactly({ full_name: Type.String(), document_number: Type.String(), expiry_date: DateOnly }),
  cost: naira(),
});

export const LivenessVerification = verification({
  type: Type.Literal("liveness"),
  status: Type.Literal("success"),
  match: Type.Null(),
  confidence_score: Type.Number({ minimum: 0, maximum: 100, description: "75 or more is live" }),
  data: Type.Null(),
  cost: naira(),
});

export const FaceMatchVerification = verification({
  type: Type.Literal("face_match"),
  status: Type.Literal("success"),
  match: Type.Boolean(),
  confidence_score: Score,
  data: Type.Null(),
  cost: naira(),
});
