/** Building blocks of the schemas of all sections (interface: "Resources and their fields"). */
import * as Type from "typebox";
import type { Assumptions, SwitchId } from "./assumptions.js";

/** Returns the schema of an object with exactly these fields, such as a reply or a record. */
export const exactly = <P extends Type.TProperties>(properties: P, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const nullable = <S extends Type.TSchema>(schema: S, options: Type.TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options);

/** Returns the schema of an id with a prefix such as `ver_`. */
export const id = (prefix: string, options: Type.TSchemaOptions = {}) =>
  Type.String({ pattern: `^${prefix}[a-z0-9]+$`, examples: [`${prefix}0123456789abcdef`], ...options });

/** Returns the schema of an amount in naira with at most two decimals. Internally, amounts are integers in kobo. */
export const naira = (options: Type.TNumberOptions = {}) => Type.Number({ description: "NGN", ...options });

/** Returns options that give a request field its own error code. `rule` completes "<field> must be ...". */
export const coded = (code: string, rule: string) => ({ "x-error": code, "x-rule": rule });

export const Timestamp = Type.String({ format: "date-time", description: "ISO 8601, UTC" });
export const NullableTimestamp = nullable(Timestamp);
export const DateOnly = Type.String({
  format: "date",
  description: "YYYY-MM-DD",
  ...coded("validation_error", "a date of the form YYYY-MM-DD, such as 1990-04-17"),
});
export const Currency = Type.Literal("NGN");

export interface While {
  assumption: SwitchId;
  value: string;
  schema: Type.TSchema;
}

/** Returns options that name the schema which replaces this one while the assumption has this value. */
export const whileIn = (assumption: SwitchId, value: string, schema: Type.TSchema) => ({
  "x-assumption": assumption,
  "x-while": { assumption, value, schema } satisfies While,
});

/** Replaces a schema that has a While by the one in force. `node` may be any part of a schema. */
export function nodeInForce(node: unknown, inForce: Assumptions): unknown {
  if (typeof node !== "object" || node === null || !("x-while" in node)) return node;
  const { "x-while": other, ...schema } = node as { "x-while": While };
  const { assumption, value } = other;
  return inForce[assumption] === value ? { ...other.schema, "x-assumption": assumption } : schema;
}

/** Schemas in force by their text. Sandboxes share them, and with them their compiled validators. */
const schemasInForce = new Map<string, Type.TSchema>();

/** Returns the schema that has at any depth the schemas in force. The same text gives the same object. */
export function schemaInForce(schema: Type.TSchema, inForce: Assumptions): Type.TSchema {
  const text = JSON.stringify(schema, (_key, node: unknown) => nodeInForce(node, inForce));
  const known = schemasInForce.get(text) ?? JSON.parse(text);
  schemasInForce.set(text, known);
  return known;
}

/** Options of a string that must not be blank. */
export const notBlank = { pattern: "\\S", ...coded("validation_error", "a text with visible characters") };

export const fixedCodePattern = "^[0-9]{4,8}$";
/** Completes the sentence "code must be ...". */
export const fixedCodeRule = "4 to 8 digits, such as 123456";
/** A one-time code that is always the same. SMS codes have 6 digits, those of messages 4 to 8. */
export const FixedCode = Type.String({
  pattern: fixedCodePattern,
  examples: ["123456"],
  ...coded("validation_error", fixedCodeRule),
});
export const NullableFixedCode = Type.Unsafe<string | null>({ ...FixedCode, type: ["string", "null"] });

/** Name that a tester gives to an account. */
export const AccountName = Type.Unsafe<string | null>({
  type: ["string", "null"],
  minLength: 1,
  maxLength: 60,
  description: "What you call the account, as the dashboard shows it; null: it has no name",
});

export const givenSecretPattern = "^[!-~]{8,128}$";
/** Completes the sentence "webhook_secret must be ...". */
export const givenSecretRule = "8 to 128 visible ASCII characters, such as whsec_of_my_tests";
/** A secret that is not generated: visible ASCII characters, since it is put into environments and shells. */
export const GivenSecret = Type.String({
  pattern: givenSecretPattern,
  examples: ["whsec_of_my_tests"],
  ...coded("validation_error", givenSecretRule),
});

const ElevenDigits = (code: "invalid_bvn" | "invalid_nin", example: string) =>
  Type.String({ pattern: "^[0-9]{11}$", examples: [example], ...coded(code, "exactly 11 digits") });
export const Bvn = ElevenDigits("invalid_bvn", "22301948576");
export const Nin = ElevenDigits("invalid_nin", "48120936571");

/** A local Nigerian number or E.164, with spaces and hyphens; assumption phone.notations. */
export const PhoneNumber = Type.String({
  pattern: "^[ -]*(?:0(?:[ -]*[0-9]){10}|\\+[ -]*[1-9](?:[ -]*[0-9]){5,14})[ -]*$",
  description: "Nigerian number of 0 and ten digits, or E.164",
  examples: ["08031234567"],
  ...coded(
    "invalid_phone",
    "a Nigerian number of 0 and ten digits, such as 08031234567, or E.164, such as +2348031234567",
  ),
});

export const AccountNumber = Type.String({
  pattern: "^[0-9]{10}$",
  "x-assumption": "account_numbers",
  examples: ["0143728169"],
  ...coded("invalid_account_number", "exactly 10 digits"),
});

export const BankCode = Type.String({
  pattern: "^([0-9]{3}|[0-9]{5,6})$",
  examples: ["058"],
  ...coded("invalid_bank_code", "the bank's central-bank code, 3, 5 or 6 digits such as 058"),
});

export const chatNumberPattern = "^[1-9][0-9]{7,14}$";

/** Completes the sentence "to must be ...". */
export const chatNumberRule = "digits with country code and without a plus sign, such as 2348031234567";

/** Number on the messaging app: digits with country code. */
export const ChatNumber = Type.String({
  pattern: chatNumberPattern,
  "x-assumption": "channels.numbers",
  examples: ["2348031234567"],
  ...coded("invalid_phone", chatNumberRule),
});
