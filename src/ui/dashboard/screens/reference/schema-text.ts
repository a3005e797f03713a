/** Describes what a schema allows, with code between backticks. */
import type { Schema } from "../../api/contract.js";

const formatValue = (value: unknown): string =>
  `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;

/** Describes the type of a value: `string (date)`, `one of a, b`, `list of string`, `string or null`. */
export function describeType({ type, format, enum: choices, const: only, ...schema }: Schema): string {
  if (only !== undefined) return `always ${formatValue(only)}`;
  if (choices) return `${choices.length === 1 ? "always" : "one of"} ${choices.map(formatValue).join(", ")}`;
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return [...new Set(forms.map(describeType))].join(" or ");
  if (schema.items) return `list of ${describeType(schema.items)}`;
  return `${type ?? "any value"}${format ? ` (${format})` : ""}`;
}

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
