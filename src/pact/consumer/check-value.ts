/** Checks the example values of a consumer test against the contract's schemas. */
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { JsonSchema } from "../../contract/json-schema.js";
import { isNullable, isOfType, variantFor } from "../matching/variants.js";
import { describeUnknown } from "./find-by-name.js";

/** Throws a RangeError that names the invalid field and the expected value. Missing fields are not reported. */
export function checkValue(name: string, schema: JsonSchema, value: unknown): void {
  const problem = findProblem(name, schema, value);
  if (problem !== null) throw new RangeError(problem);
}

/** Throws a RangeError that names the required fields that are missing. */
export function checkRequired(name: string, { required = [] }: JsonSchema, value: object): void {
  const missing = required.filter((field) => !(field in value));
  if (missing.length > 0) throw new RangeError(`${name} needs ${missing.join(", ")}`);
}

/** Returns the first problem; null if there is none. */
export function findProblem(name: string, union: JsonSchema, value: unknown): string | null {
  const schema = variantFor(union, value);
  const { properties, items, enum: choices } = schema;
  if (value === null && (isNullable(union) || schema.type === "null")) return null;
  if (choices)
    return choices.includes(value) ? null : describeUnknown(`${name} cannot be`, value, choices.map(String));
  const rule = brokenRule(schema, value);
  if (rule !== null) return `${name} ${rule}, not ${formatValue(value)}`;
  if (properties) return findFieldProblem(name, properties, value as object);
  return items ? firstProblem(value as unknown[], (entry) => findProblem(name, items, entry)) : null;
}

const findFieldProblem = (
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  value: object,
): string | null =>
  firstProblem(Object.entries(value), ([field, inner]) => {
    const schema = Object.hasOwn(properties, field) ? properties[field] : undefined;
    return schema
      ? findProblem(`${field} in ${name}`, schema, inner)
      : describeUnknown(`${name} has no field`, field, Object.keys(properties));
  });

function firstProblem<T>(values: readonly T[], find: (value: T) => string | null): string | null {
  for (const value of values) {
    const problem = find(value);
    if (problem !== null) return problem;
  }
  return null;
}

/** Returns the rule that the value breaks, as the end of a sentence; null if it breaks none. */
function brokenRule(schema: JsonSchema, value: unknown): string | null {
  if (schema.const !== undefined)
    return schema.const === value ? null : `must be ${JSON.stringify(schema.const)}`;
  if (!isOfType(schema, value)) return `must be of type ${schema.type}`;
  if (typeof value === "string") return brokenTextRule(schema, value);
  if (typeof value === "number") return brokenNumberRule(schema, value);
  return Array.isArray(value) ? brokenListRule(schema, value) : null;
}

function brokenTextRule(schema: JsonSchema, text: string): string | null {
  const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (pattern !== undefined && !new RegExp(pattern, "u").test(text))
    return `must be ${schema["x-rule"] ?? `text that matches ${pattern}`}`;
  if (format !== undefined && !isOfFormat(format, text)) return `must be a ${format}`;
  if (text.length < minLength) return `must have at least ${count(minLength, "character", "characters")}`;
  return text.length > maxLength ? `must have at most ${count(maxLength, "character", "characters")}` : null;
}

function brokenNumberRule({ minimum, maximum, exclusiveMinimum }: JsonSchema, number: number): string | null {
  if (minimum !== undefined && number < minimum) return `must be at least ${minimum}`;
  if (exclusiveMinimum !== undefined && number <= exclusiveMinimum)
    return `must be more than ${exclusiveMinimum}`;
  return maximum !== undefined && number > maximum ? `must be at most ${maximum}` : null;
}

function brokenListRule({ minItems = 0, maxItems }: JsonSchema, list: readonly unknown[]): string | null {
  if (list.length < minItems) return `must have at least ${count(minItems, "entry", "entries")}`;
  return maxItems !== undefined && list.length > maxItems
    ? `must have at most ${count(maxItems, "entry", "entries")}`
    : null;
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

function isOfFormat(format: string, text: string): boolean {
  const known: unknown = (fullFormats as Readonly<Record<string, unknown>>)[format];
  if (known instanceof RegExp) return known.test(text);
  const validate = typeof known === "function" ? known : (known as { validate?: unknown })?.validate;
  return typeof validate !== "function" || validate(text) === true;
}

/** Formats a value, including numbers that JSON does not have, such as NaN. */
export const formatValue = (value: unknown): string =>
  typeof value === "number" ? String(value) : String(JSON.stringify(value));
