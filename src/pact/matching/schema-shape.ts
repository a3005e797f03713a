/** A JSON Schema of the contract as the matchers read it: which of its variants a value is, and an example of one. */
import { type JsonSchema, variantsOf } from "../../contract/json-schema.js";
import { exampleOf } from "./field-examples.js";

const isNull = (shape: JsonSchema): boolean => shape.type === "null";

/** It may be null, and may be something else. */
export const isNullable = (shape: JsonSchema): boolean => {
  const variants = variantsOf(shape);
  return variants.some(isNull) && variants.some((variant) => !isNull(variant));
};

/** The variant that the value, or this part of it, is one of; of those that may be null, the other one. */
export function variantFor(shape: JsonSchema, value: unknown): JsonSchema {
  const variants = variantsOf(shape);
  const others = variants.filter((variant) => !isNull(variant));
  const fitting = others.filter((variant) => fits(variant, value));
  return (
    fitting.find((variant) => isWhole(variant, value)) ??
    fitting[0] ??
    others[0] ??
    (variants[0] as JsonSchema)
  );
}

function fits({ properties, const: only }: JsonSchema, value: unknown): boolean {
  if (only !== undefined) return only === value;
  if (!properties) return true;
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  return Object.entries(properties).every(
    ([name, { const: fixed }]) => fixed === undefined || !(name in fields) || fields[name] === fixed,
  );
}

const isWhole = ({ required = [] }: JsonSchema, value: unknown): boolean =>
  required.every((name) => typeof value === "object" && value !== null && name in value);

const samplesByFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T09:00:00.000Z",
  date: "2026-01-31",
  uri: "https://example.com/",
  email: "adaeze@example.com",
};

/** Digits as many as a pattern such as ^[0-9]{11}$ asks for at least. */
const digits = /^\^\[0-9\]\{(\d+)(?:,\d+)?\}\$$/;

export interface SampleOptions {
  /** The field that the value is of. */
  field?: string;
  /** Absent: true. False: what may be null is left out of objects. */
  nullables?: boolean;
}

/** A value that the schema takes: what may be left out is; what may be null is not, or is left out too. */
export function sample(whole: JsonSchema, { field = "", nullables = true }: SampleOptions = {}): unknown {
  const shape = variantFor(whole, undefined);
  const { type, properties, required = [], items } = shape;
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  if (properties) {
    const wanted = required.filter((name) => nullables || !mayBeNull(properties[name] as JsonSchema));
    return Object.fromEntries(
      wanted.map((name) => [name, sample(properties[name] as JsonSchema, { field: name, nullables })]),
    );
  }
  if (items) return [sample(items, { field, nullables })];
  const example = [exampleOf(field), ...(shape.examples ?? whole.examples ?? [])].find((one) =>
    suits(shape, one),
  );
  if (example !== undefined) return example;
  if (type === "number" || type === "integer") return shape.minimum ?? 1;
  if (type === "boolean") return true;
  return type === "null" ? null : sampleText(shape);
}

function sampleText({ format = "", pattern = "", minLength = 0 }: JsonSchema): string {
  const count = Number(digits.exec(pattern)?.[1] ?? 0);
  if (count > 0) return "0123456789".repeat(2).slice(0, count);
  return samplesByFormat[format] ?? "some words of a text ".repeat(Math.ceil((minLength + 1) / 21)).trimEnd();
}

/** A field of the same name may be another thing elsewhere. */
const suits = (shape: JsonSchema, value: unknown): boolean =>
  isOfType(shape, value) &&
  new RegExp(shape.pattern ?? "").test(String(value)) &&
  (shape.format !== "date" || /^\d{4}-\d\d-\d\d$/.test(String(value)));

/** Of the JSON type that the schema has; what JSON cannot say, such as no value, is of none. */
export function isOfType({ type }: JsonSchema, value: unknown): boolean {
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value))) return false;
  if (type === "integer") return Number.isInteger(value);
  return type === undefined || type === typeOf(value);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const mayBeNull = (shape: JsonSchema): boolean => variantsOf(shape).some(isNull);
