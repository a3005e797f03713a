/** Building blocks of the schemas of all sections (interface: "Resources and their fields"). */
import * as Type from "typebox";

/** Returns the schema of an object with exactly these fields, such as a reply or a record. */
export const exactly = <P extends Type.TProperties>(properties: P, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const nullable = <S extends Type.TSchema>(schema: S, options: Type.TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options);

/** Schema of a phone number in E.164: at most 15 digits with the country code, which does not begin with 0. */
export const e164 = Type.String({
  pattern: "^\\+[1-9][0-9]{1,14}$",
  description: "E.164",
  examples: ["+2348031234567"],
});

/** Prefixes of ids that the interface shows. */
const documentedPrefixes = ["ver_", "phv_", "cs_", "aud_", "dom_", "scn_"] as const;
/** Prefixes of ids for which the interface shows none: assumption ids. */
export const assumedPrefixes = [
  "pay_",
  "po_",
  "rf_",
  "va_",
  "wac_",
  "otp_",
  "idq_",
  "whe_",
  "evt_",
  "dlv_",
] as const;
/** Prefixes of messages, rules and people, which only the sandbox shows, and of the references of charges. */
const ownPrefixes = ["msg_", "rule_", "person_", "chg_"] as const;

export type IdPrefix = (typeof documentedPrefixes)[number] | (typeof assumedPrefixes)[number];

/** Returns the schema of an id with a prefix such as `ver_`. The interface does not say what follows the prefix. */
export const id = (prefix: IdPrefix, options: Type.TSchemaOptions = {}) =>
  Type.String({ pattern: `^${prefix}\\S+$`, examples: [exampleId(prefix)], ...options });

export const exampleId = (prefix: string): string => `${prefix}0123456789abcdef`;

const idForm = new RegExp(
  `^(${[...documentedPrefixes, ...assumedPrefixes, ...ownPrefixes].join("|")})[^\\s_]{6,}$`,
);

/** Returns the prefix of an id such as `ver_`. Null for other texts, such as the error code `otp_daily_limit`. */
export const idPrefixOf = (text: string): string | null => idForm.exec(text)?.[1] ?? null;

/** Returns the schema of an amount in naira with at most two decimals. Internally, amounts are integers in kobo. */
export function naira(options: Type.TNumberOptions = {}): Type.TNumber {
  const schema = Type.Number({ description: "NGN", ...options });
  amounts.add(schema);
  return schema;
}

/** Schemas of amounts. The OpenAPI documents do not mark them. */
const amounts = new WeakSet<object>();
export const isAmount = (schema: object): boolean => amounts.has(schema);

/** Returns options that give a request field its own error code. `rule` completes "<field> must be ...". */
export const coded = (code: string, rule: string) => ({ "x-error": code, "x-rule": rule });

declare const isTime: unique symbol;
/** Type of the schema of timestamps, which records store in ms. */
export interface TTimestamp extends Type.TString {
  readonly [isTime]: true;
}
export const Timestamp = Type.String({ format: "date-time", description: "ISO 8601, UTC" }) as TTimestamp;
export const isTimestamp = (schema: object): boolean => schema === Timestamp;
export const NullableTimestamp = nullable(Timestamp);
export const DateOnly = Type.String({
  format: "date",
  description: "YYYY-MM-DD",
  ...coded("validation_error", "a date of the form YYYY-MM-DD, such as 1990-04-17"),
});
export const Currency = Type.Literal("NGN");

/** A schema that replaces another schema while an assumption has a value. */
export interface While {
  assumption: string;
  value: string;
  schema: Type.TSchema;
}

/** Replaces a schema that has a While with the one in force. `node` may be any part of a schema. */
export function nodeInForce(node: unknown, inForce: Readonly<Record<string, string>>): unknown {
  if (typeof node !== "object" || node === null || !("x-while" in node)) return node;
  const { "x-while": other, ...schema } = node as { "x-while": While };
  const { assumption, value } = other;
  return inForce[assumption] === value ? { ...other.schema, "x-assumption": assumption } : schema;
}

/** Schemas in force by their text. Sandboxes share them and their compiled validators. */
const schemasInForce = new Map<string, Type.TSchema>();

/** Returns the schema with the schemas in force at any depth. The same text gives the same object. */
export function schemaInForce(schema: Type.TSchema, inForce: Readonly<Record<string, string>>): Type.TSchema {
  const text = JSON.stringify(schema, (_key, node: unknown) => nodeInForce(node, inForce));
  const known = schemasInForce.get(text) ?? JSON.parse(text);
  schemasInForce.set(text, known);
  return known;
}

/** Options of a string that must not be blank. */
export const notBlank = { pattern: "\\S", ...coded("validation_error", "a text with visible characters") };

export const fixedCodePattern = "^[0-9]{4,8}$";
/** End of the sentence "code must be ...". */
export const fixedCodeRule = "4 to 8 digits, such as 123456";
/** A one-time code that is always the same. SMS codes have 6 digits, codes of messages 4 to 8. */
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
  description: "Name of the account in the dashboard. Null if it has none",
});

export const givenSecretPattern = "^[!-~]{8,128}$";
/** End of the sentence "webhook_secret must be ...". */
export const givenSecretRule = "8 to 128 visible ASCII characters, such as whsec_of_my_tests";
/** A secret that is not generated: visible ASCII characters, since it is put into environments and shells. */
export const GivenSecret = Type.String({
  pattern: givenSecretPattern,
  examples: ["whsec_of_my_tests"],
  ...coded("validation_error", givenSecretRule),
});
