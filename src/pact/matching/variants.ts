/** Finds the alternative of a union that a value belongs to. */
import { type JsonSchema, variantsOf } from "../../contract/json-schema.js";

const isNull = ({ type }: JsonSchema): boolean => type === "null";

/** Is true for a union of null and something else. */
export const isNullable = (schema: JsonSchema): boolean => {
  const variants = variantsOf(schema);
  return variants.some(isNull) && !variants.every(isNull);
};

/** Returns the variant that the value, or the given part of an object, best fits. Prefers any variant to null. */
export function variantFor(schema: JsonSchema, value: unknown): JsonSchema {
  const variants = variantsOf(schema);
  const others = variants.filter((variant) => !isNull(variant));
  const fitting = others.filter((variant) => fits(variant, value));
  const complete = fitting.find(({ required = [] }) => hasFields(value, required));
  return complete ?? fitting[0] ?? others[0] ?? (variants[0] as JsonSchema);
}

/** Compares constants only; other keywords do not tell the contract's variants apart. */
function fits({ properties, const: only }: JsonSchema, value: unknown): boolean {
  if (only !== undefined) return only === value;
  if (!properties) return true;
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  return Object.entries(properties).every(
    ([name, { const: fixed }]) => fixed === undefined || !(name in fields) || fields[name] === fixed,
  );
}

const hasFields = (value: unknown, names: readonly string[]): boolean =>
  names.every((name) => typeof value === "object" && value !== null && name in value);

/** Values that JSON cannot express, such as undefined and NaN, have no type. */
export function isOfType({ type }: JsonSchema, value: unknown): boolean {
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value))) return false;
  if (type === "integer") return Number.isInteger(value);
  return type === undefined || type === typeOf(value);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
