/** What a consumer test gives as an example is what the contract's schemas take. */
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { JsonSchema } from "../../contract/json-schema.js";
import { isNullable, isOfType, variantFor } from "../matching/schema-shape.js";
import { notKnown } from "./find-by-name.js";

/** Throws a RangeError that names the field, at whatever depth, and what would be right. */
export function checkValue(what: string, shape: JsonSchema, value: unknown): void {
  const message = wrongIn(what, shape, value);
  if (message !== null) throw new RangeError(message);
}

/** All that must be there is. */
export function checkWhole(what: string, { required = [] }: JsonSchema, value: object): void {
  const missing = required.filter((name) => !(name in value));
  if (missing.length > 0) throw new RangeError(`${what} needs ${missing.join(", ")}`);
}

/** The first thing that is wrong with the value; null: nothing is. What is missing is not wrong. */
export function wrongIn(what: string, whole: JsonSchema, value: unknown): string | null {
  const shape = variantFor(whole, value);
  const { properties, items, enum: choices } = shape;
  if (value === null && (isNullable(whole) || shape.type === "null")) return null;
  if (choices)
    return choices.includes(value) ? null : notKnown(`${what} cannot be`, String(value), choices.map(String));
  const right = whatFits(shape, value);
  if (right !== null) return `${what} ${right}, not ${show(value)}`;
  if (properties) return wrongField(what, properties, value as object);
  return items ? firstOf(value as unknown[], (entry) => wrongIn(what, items, entry)) : null;
}

function wrongField(
  what: string,
  properties: Readonly<Record<string, JsonSchema>>,
  value: object,
): string | null {
  return firstOf(Object.entries(value), ([name, inner]) => {
    const shape = properties[name];
    return shape
      ? wrongIn(`${name} in ${what}`, shape, inner)
      : notKnown(`${what} has no field`, name, Object.keys(properties));
  });
}

function firstOf<T>(values: readonly T[], find: (value: T) => string | null): string | null {
  for (const value of values) {
    const found = find(value);
    if (found !== null) return found;
  }
  return null;
}

/** Null: the value does. */
function whatFits(shape: JsonSchema, value: unknown): string | null {
  if (shape.const !== undefined) return shape.const === value ? null : `is ${JSON.stringify(shape.const)}`;
  if (!isOfType(shape, value)) return `is of type ${shape.type}`;
  if (typeof value === "string") return whatTextFits(shape, value);
  if (typeof value === "number") return whatNumberFits(shape, value);
  return Array.isArray(value) ? whatListFits(shape, value) : null;
}

function whatTextFits(shape: JsonSchema, text: string): string | null {
  const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = shape;
  if (pattern !== undefined && !new RegExp(pattern, "u").test(text))
    return `is ${shape["x-rule"] ?? `text that matches ${pattern}`}`;
  if (format !== undefined && !isOfFormat(format, text)) return `is a ${format}`;
  if (text.length < minLength) return `is at least ${count(minLength, "character")} long`;
  return text.length > maxLength ? `is at most ${count(maxLength, "character")} long` : null;
}

function whatNumberFits({ minimum, maximum, exclusiveMinimum }: JsonSchema, number: number): string | null {
  if (minimum !== undefined && number < minimum) return `is at least ${minimum}`;
  if (exclusiveMinimum !== undefined && number <= exclusiveMinimum) return `is more than ${exclusiveMinimum}`;
  return maximum !== undefined && number > maximum ? `is at most ${maximum}` : null;
}

function whatListFits({ minItems = 0, maxItems }: JsonSchema, list: readonly unknown[]): string | null {
  if (list.length < minItems) return `has at least ${count(minItems, "entry", "entries")}`;
  return maxItems !== undefined && list.length > maxItems
    ? `has at most ${count(maxItems, "entry", "entries")}`
    : null;
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

function isOfFormat(format: string, text: string): boolean {
  const known: unknown = (fullFormats as Readonly<Record<string, unknown>>)[format];
  if (known instanceof RegExp) return known.test(text);
  const validate = typeof known === "function" ? known : (known as { validate?: unknown })?.validate;
  return typeof validate !== "function" || validate(text) === true;
}

/** Numbers that JSON does not have are named too. */
export const show = (value: unknown): string =>
  typeof value === "number" ? String(value) : String(JSON.stringify(value));
