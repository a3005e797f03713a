/** Makes example values from schemas. */
import { type JsonSchema, variantsOf } from "../../contract/json-schema.js";
import { fieldExample } from "./field-examples.js";
import { isOfType, variantFor } from "./variants.js";

export interface SampleOptions {
  /** Name of the field that the value is for. */
  field?: string;
  /** Whether objects include required fields that may be null. Default true. */
  nullables?: boolean;
}

/** Returns a value that the schema accepts: only required fields, and null only where nothing else is allowed. */
export function sample(union: JsonSchema, { field = "", nullables = true }: SampleOptions = {}): unknown {
  const schema = variantFor(union, undefined);
  const { type, properties = null, required = [], items } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (properties) {
    const fields = required
      .map((name) => [name, properties[name] as JsonSchema] as const)
      .filter(([, property]) => nullables || !acceptsNull(property));
    return Object.fromEntries(
      fields.map(([name, property]) => [name, sample(property, { field: name, nullables })]),
    );
  }
  if (items) return [sample(items, { field, nullables })];
  const examples = [fieldExample(field), ...(schema.examples ?? union.examples ?? [])];
  const example = examples.find((one) => accepts(schema, one));
  if (example !== undefined) return example;
  if (type === "number" || type === "integer") return schema.minimum ?? 1;
  if (type === "boolean") return true;
  return type === "null" ? null : sampleText(schema);
}

const acceptsNull = (schema: JsonSchema): boolean => variantsOf(schema).some(({ type }) => type === "null");

/** Filters out examples that belong to another field of the same name. */
const accepts = (schema: JsonSchema, value: unknown): boolean =>
  isOfType(schema, value) &&
  new RegExp(schema.pattern ?? "").test(String(value)) &&
  (schema.format !== "date" || /^\d{4}-\d\d-\d\d$/.test(String(value)));

const samplesByFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T09:00:00.000Z",
  date: "2026-01-31",
  uri: "https://example.com/",
  email: "adaeze@example.com",
};

/** A pattern of digits with its minimum length, such as ^[0-9]{11}$. */
const digitsPattern = /^\^\[0-9\]\{(\d+)(?:,\d+)?\}\$$/;

function sampleText({ format = "", pattern = "", minLength = 0 }: JsonSchema): string {
  const count = Number(digitsPattern.exec(pattern)?.[1] ?? 0);
  if (count > 0) return "0123456789".repeat(2).slice(0, count);
  return samplesByFormat[format] ?? "some words of a text ".repeat(Math.ceil((minLength + 1) / 21)).trimEnd();
}
