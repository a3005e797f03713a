/** Describes what a schema allows, with code between backticks. */
import { describeSchema, type SchemaWords } from "../../../../contract/schema-walk.js";
import type { Schema } from "../../api/contract.js";

const formatValue = (value: unknown): string =>
  `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;

const words: SchemaWords = {
  or: " or ",
  choice: (values) => `${values.length === 1 ? "always" : "one of"} ${values.map(formatValue).join(", ")}`,
  list: (items) => `list of ${items}`,
  leaf: ({ type, format }) => `${type ?? "any value"}${format ? ` (${format})` : ""}`,
};

/** Describes the type of a value: `string (date)`, `one of a, b`, `list of string`, `string or null`. */
export const describeType = (schema: Schema): string => describeSchema(schema, words);

function formatRange(min: number | undefined, max: number | undefined, unit = ""): string[] {
  if (min === undefined && max === undefined) return [];
  if (min === max) return [`exactly ${min}${unit}`];
  if (max === undefined) return [`at least ${min}${unit}`];
  return [min === undefined ? `at most ${max}${unit}` : `${min} to ${max}${unit}`];
}

/** Describes the limits of a value, its default and an example. */
export function describeLimits(schema: Schema): string[] {
  const { exclusiveMinimum, pattern, default: usual, examples = [], anyOf, oneOf } = schema;
  const [example] = examples;
  return [
    ...formatRange(schema.minimum, schema.maximum),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
    ...formatRange(schema.minLength, schema.maxLength, " characters"),
    ...formatRange(schema.minItems, schema.maxItems, " items"),
    ...formatRange(schema.minProperties, undefined, " field"),
    ...(pattern === undefined ? [] : [`pattern \`${pattern}\``]),
    ...(anyOf ?? oneOf ?? []).flatMap(describeLimits),
    ...(usual === undefined ? [] : [`default ${formatValue(usual)}`]),
    ...(example === undefined ? [] : [`example ${formatValue(example)}`]),
  ];
}
