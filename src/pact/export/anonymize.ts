/** Takes the people out of what went over the wire: nothing is let through but what the contract itself names. */

import type { JsonSchema } from "../../contract/json-schema.js";
import { isObject } from "../../world/json.js";
import { phoneLike } from "../matching/field-examples.js";
import { isOfType, sample, variantFor } from "../matching/schema-shape.js";

/** Where somebody is. */
const places = new Set(["latitude", "longitude"]);

const phones = new Set(["phone", "phone_number", "contact_phone", "to"]);

/** Texts of the service's own that quote nobody. */
const ownWords = new Set([
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

const someId = "0123456789abcdef";
const idForm =
  /^(?:aud|chg|cs|dlv|dom|evt|idq|msg|otp|pay|phv|po|rf|scn|va|ver|wac|whe)_(?!0+$)[a-z0-9]{6,}$/;

/** An id of the same kind, the same in each export; null: it is none. */
const likeId = (value: string): string | null =>
  idForm.test(value) ? value.replace(/_.*/, `_${someId}`) : null;

const isIdField = (field: string): boolean => /^(?:id|\w+_id)$/.test(field);

/** One of the contract's own words. Dates of birth are people's; those of periods are not. */
function isNeutral(
  { enum: values, const: only, format = "" }: JsonSchema,
  field: string,
  value: string,
): boolean {
  if (values !== undefined) return values.includes(value);
  if (only !== undefined) return value === only;
  return (
    ownWords.has(field) || (format === "date" && field !== "date_of_birth" && /^\d{4}-\d\d-\d\d$/.test(value))
  );
}

const none: ReadonlySet<string> = new Set();

export interface PrivacyOptions {
  /** Paths of what is wrong, such as `image.link`: it is wrong still, in nobody's words. */
  wrong?: ReadonlySet<string>;
  /** Whether fields that the schema does not know are there still, in nobody's words: absent, they are left out. */
  unknowns?: boolean;
}

/**
 * The value with an example of its field in place of each text. Choices and amounts stay; ids and times are examples too,
 * the same in each export.
 */
export const withoutPeople = (whole: JsonSchema, value: unknown, options: PrivacyOptions = {}): unknown =>
  walk(whole, value, "", "", options);

function walk(
  whole: JsonSchema,
  value: unknown,
  path: string,
  field: string,
  options: PrivacyOptions,
): unknown {
  const { wrong = none, unknowns = false } = options;
  if (path !== "" && wrong.has(path)) return wrongAs(whole, value);
  const shape = variantFor(whole, value);
  const at = (name: string | number) => (path === "" ? String(name) : `${path}.${name}`);
  if (Array.isArray(value))
    return value.map((entry, index) => walk(shape.items ?? {}, entry, at(index), field, options));
  if (isObject(value)) {
    const known = Object.entries(value).flatMap(([name, inner]) => {
      const own = shape.properties?.[name];
      return own ? [[name, walk(own, inner, at(name), name, options)]] : [];
    });
    const others = unknowns ? unknownNames(shape, value) : [];
    const unnameds = others.map((name, index) => [unknownName(index), unnamed(value[name])]);
    return Object.fromEntries([...known, ...unnameds]);
  }
  return leaf(whole, shape, field, value);
}

function leaf(whole: JsonSchema, shape: JsonSchema, field: string, value: unknown): unknown {
  const example = () => exampleFor(whole, field, value);
  if (typeof value === "number") return isOfType(shape, value) && !places.has(field) ? value : example();
  if (typeof value !== "string") return value;
  const id = isIdField(field) ? likeId(value) : null;
  return id ?? (isNeutral(shape, field, value) ? value : example());
}

/** Phone numbers keep their notation. */
const exampleFor = (whole: JsonSchema, field: string, value: unknown): unknown =>
  (phones.has(field) && phoneLike(String(value))) || sample(whole, { field });

/** What is too short to be anybody's stays as it was, and amounts do. */
function wrongAs(whole: JsonSchema, value: unknown): unknown {
  if (typeof value === "string") return value.length > 3 ? "invalid" : value;
  const isAmount = typeof value === "number" && isOfType(variantFor(whole, value), Math.trunc(value));
  return value === null || typeof value === "boolean" || isAmount ? value : unnamed(value);
}

/** Ids and choices stay what they are; what is no choice is none still. */
export function paramWithoutPeople(shape: JsonSchema, field: string, value: string): string {
  if (isNeutral(shape, field, value)) return value;
  return likeId(value) ?? (shape.enum ? "invalid" : "unknown_id");
}

/** Of a field that the contract does not know, that it was there and of which type. */
function unnamed(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (isObject(value)) return {};
  const anybodys: Readonly<Record<string, unknown>> = { string: "text", number: 1, boolean: true };
  return anybodys[typeof value] ?? null;
}

const unknownName = (index: number): string => (index < 1 ? "unknown" : `unknown_${index + 1}`);

const unknownNames = (shape: JsonSchema, value: object): string[] =>
  Object.keys(value).filter((name) => !shape.properties || !Object.hasOwn(shape.properties, name));

/** A field's path as a refusal names it, with the names that the request has in the pact. */
export function pathWithoutPeople(whole: JsonSchema, value: unknown, path: string): string {
  const shape = variantFor(whole, value);
  const fields = (typeof value === "object" ? value : null) ?? {};
  const inner = (name: string, own: JsonSchema): string => {
    const below = path.slice(name.length + 1);
    return below === ""
      ? name
      : `${name}.${pathWithoutPeople(own, (fields as Record<string, unknown>)[name], below)}`;
  };
  const index = /^\d+(?=\.|$)/.exec(path)?.[0];
  if (index !== undefined && shape.items) return inner(index, shape.items);
  const begins = (name: string) => path === name || path.startsWith(`${name}.`);
  const known = Object.keys(shape.properties ?? {}).find(begins);
  return known === undefined
    ? unknownName(unknownNames(shape, fields).findIndex(begins))
    : inner(known, shape.properties?.[known] as JsonSchema);
}
