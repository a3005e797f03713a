/** Removes personal data from recorded requests and replies: only values that the contract itself names are kept. */

import { isObject } from "../../contract/json.js";
import { isOfType, type JsonSchema, variantFor } from "../../contract/schema-walk.js";
import { exampleId, idPrefixOf } from "../../contract/schemas.js";
import { example, examplePhoneLike } from "../examples.js";

const locationFields = new Set(["latitude", "longitude"]);
const phoneFields = new Set(["phone", "phone_number", "contact_phone", "to"]);

/** Texts that the service writes itself and that never quote the request. */
const serviceTextFields = new Set([
  "bank_name",
  "category",
  "gender",
  "licence_class",
  "licence_status",
  "precision",
  "severity",
  "state_of_issue",
  "title",
  "type",
  "unit",
]);

/** An id that belongs to no record, as tests write it: `po_000`. */
const unknownIdForm = /^[a-z]+_0+$/;

/** Returns a fixed id with the same prefix; null if the value is not an id. */
function exampleIdLike(value: string): string | null {
  const prefix = unknownIdForm.test(value) ? null : idPrefixOf(value);
  return prefix && exampleId(prefix);
}

const isIdField = (field: string): boolean => /^(?:id|\w+_id)$/.test(field);

const isDate = (value: string): boolean => /^\d{4}-\d\d-\d\d$/.test(value);

/**
 * Returns whether a value cannot be personal data: a choice, a constant, a text of the service, or any date but a date of
 * birth.
 */
function isNeutral(schema: JsonSchema, field: string, value: string): boolean {
  const { enum: values, const: only, format } = schema;
  if (values !== undefined) return values.includes(value);
  if (only !== undefined) return value === only;
  return serviceTextFields.has(field) || (format === "date" && field !== "date_of_birth" && isDate(value));
}

export interface AnonymizeOptions {
  /** Paths of invalid values, such as `image.link`, which are replaced by other invalid values. */
  wrong?: ReadonlySet<string>;
  /** Whether undeclared fields are kept under a neutral name. Default false: they are omitted. */
  unknowns?: boolean;
}

/** Replaces texts, ids, times and locations by examples, the same in each export. Choices and amounts stay. */
export const anonymize = (schema: JsonSchema, value: unknown, options: AnonymizeOptions = {}): unknown =>
  anonymizeAt(schema, value, "", "", options);

function anonymizeAt(
  union: JsonSchema,
  value: unknown,
  path: string,
  field: string,
  options: AnonymizeOptions,
): unknown {
  if (path !== "" && options.wrong?.has(path)) return wrongExample(union, value);
  const schema = variantFor(union, value);
  const pathTo = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  if (Array.isArray(value))
    return value.map((entry, index) => anonymizeAt(schema.items ?? {}, entry, pathTo(index), field, options));
  if (!isObject(value)) return anonymizeLeaf(union, schema, field, value);
  const declared = Object.entries(value).flatMap(([name, inner]) => {
    const property = schema.properties?.[name];
    return property ? [[name, anonymizeAt(property, inner, pathTo(name), name, options)]] : [];
  });
  const undeclared = options.unknowns ? undeclaredNames(schema, value) : [];
  return Object.fromEntries([
    ...declared,
    ...undeclared.map((name, index) => [neutralName(index), exampleOfSameType(value[name])]),
  ]);
}

function anonymizeLeaf(union: JsonSchema, schema: JsonSchema, field: string, value: unknown): unknown {
  if (typeof value === "number" && isOfType(schema, value) && !locationFields.has(field)) return value;
  if (typeof value === "string") {
    const id = isIdField(field) ? exampleIdLike(value) : null;
    if (id !== null) return id;
    if (isNeutral(schema, field, value)) return value;
  } else if (typeof value !== "number") return value;
  const phone = phoneFields.has(field) ? examplePhoneLike(String(value)) : null;
  return phone ?? example(union, field);
}

/** Keeps amounts, and texts too short to identify anybody. */
function wrongExample(union: JsonSchema, value: unknown): unknown {
  if (typeof value === "string") return value.length > 3 ? "invalid" : value;
  const isAmount = typeof value === "number" && isOfType(variantFor(union, value), Math.trunc(value));
  return value === null || typeof value === "boolean" || isAmount ? value : exampleOfSameType(value);
}

/** Keeps known choices; an unknown choice or id stays unknown. */
export function anonymizePathParam(schema: JsonSchema, field: string, value: string): string {
  if (isNeutral(schema, field, value)) return value;
  return exampleIdLike(value) ?? (schema.enum ? "invalid" : "unknown_id");
}

function exampleOfSameType(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (isObject(value)) return {};
  const examples: Readonly<Record<string, unknown>> = { string: "text", number: 1, boolean: true };
  return examples[typeof value] ?? null;
}

const neutralName = (index: number): string => (index < 1 ? "unknown" : `unknown_${index + 1}`);

const undeclaredNames = (schema: JsonSchema, value: object): string[] =>
  Object.keys(value).filter((name) => !schema.properties || !Object.hasOwn(schema.properties, name));

/** Returns the path of a field that an error names, with undeclared fields under their neutral names. */
export function anonymizeFieldPath(union: JsonSchema, value: unknown, path: string): string {
  const schema = variantFor(union, value);
  const fields = (typeof value === "object" ? value : null) ?? {};
  const within = (name: string, property: JsonSchema): string => {
    const rest = path.slice(name.length + 1);
    const inner = (fields as Record<string, unknown>)[name];
    return rest === "" ? name : `${name}.${anonymizeFieldPath(property, inner, rest)}`;
  };
  const index = /^\d+(?=\.|$)/.exec(path)?.[0];
  if (index !== undefined && schema.items) return within(index, schema.items);
  const isOnPath = (name: string) => path === name || path.startsWith(`${name}.`);
  const declared = Object.keys(schema.properties ?? {}).find(isOnPath);
  return declared === undefined
    ? neutralName(undeclaredNames(schema, fields).findIndex(isOnPath))
    : within(declared, schema.properties?.[declared] as JsonSchema);
}
