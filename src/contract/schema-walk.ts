/**
 * Walks JSON Schemas: the alternatives of a value, its fields and limits, its description, and examples. TypeBox
 * schemas are JSON Schemas. All code that reads schemas uses these functions.
 */
import type { TSchema } from "typebox";

/** The JSON Schema keywords that the contract uses. */
export interface JsonSchema {
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  description?: string;
  /** Description of valid values, set by `coded()`. */
  "x-rule"?: string;
  /** Value in the examples of webhooks. */
  "x-example"?: unknown;
  /** Error code of invalid values, set by `coded()`. */
  "x-error"?: string;
  examples?: readonly unknown[];
  required?: readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  /** Schemas of the values of a record, by a pattern of its keys. */
  patternProperties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  /** Groups of required fields. An object has exactly one group. */
  oneOf?: readonly Pick<JsonSchema, "required">[];
}

export const toJsonSchema = (schema: TSchema): JsonSchema => schema as unknown as JsonSchema;

/** A field of an object. */
export interface SchemaField {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Returns the fields of an object. Other schemas have none. */
export function fieldsIn(schema: TSchema | JsonSchema = {}): SchemaField[] {
  const { properties = {}, required = [] } = schema as JsonSchema;
  return Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: required.includes(name),
  }));
}

/** Returns the alternatives of a schema; nested unions are flattened. */
export const variantsOf = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf?.flatMap(variantsOf) ?? [schema];

const isNull = ({ type }: JsonSchema): boolean => type === "null";

/** Returns whether a schema is a union of null and something else. */
export function isNullable(schema: JsonSchema): boolean {
  const variants = variantsOf(schema);
  return variants.some(isNull) && !variants.every(isNull);
}

/** Returns the alternative that the value, or the given part of an object, best fits. Prefers any alternative to null. */
export function variantFor(schema: JsonSchema, value: unknown): JsonSchema {
  const variants = variantsOf(schema);
  const others = variants.filter((variant) => !isNull(variant));
  const fitting = others.filter((variant) => fits(variant, value));
  const complete = fitting.find(({ required = [] }) => hasFields(value, required));
  return complete ?? fitting[0] ?? others[0] ?? (variants[0] as JsonSchema);
}

/** Returns whether the constants of an alternative match. No other keyword distinguishes alternatives of the contract. */
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

/** Returns the JSON type of a value. */
export function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Returns whether a value has the type. Values that JSON cannot express, such as undefined and NaN, have none. */
export function isOfType({ type }: JsonSchema, value: unknown): boolean {
  if (value === undefined || (typeof value === "number" && !Number.isFinite(value))) return false;
  if (type === "integer") return Number.isInteger(value);
  return type === undefined || type === typeOf(value);
}

/** Returns all schemas, unions and their alternatives included, at a path of keys and indexes (`*` for any index). */
export function schemasAt(schema: TSchema, path: readonly string[]): JsonSchema[] {
  const withAlternatives = (node: JsonSchema): JsonSchema[] => [
    node,
    ...(node.anyOf ?? []).flatMap(withAlternatives),
  ];
  let found = withAlternatives(toJsonSchema(schema));
  for (const key of path) found = found.flatMap((node) => childOf(node, key) ?? []).flatMap(withAlternatives);
  return found;
}

function childOf({ properties, patternProperties, items }: JsonSchema, key: string): JsonSchema | undefined {
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  const [, value] =
    Object.entries(patternProperties ?? {}).find(([pattern]) => new RegExp(pattern).test(key)) ?? [];
  return value ?? (/^(?:\d+|\*)$/.test(key) ? items : undefined);
}

/** Returns the values of an annotation such as `x-assumption`, at any depth of schemas. */
export function annotationsIn(schema: unknown, annotation: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === annotation ? [String(value)] : annotationsIn(value, annotation),
  );
}

/** Words of a description. Each function gets the schema that it describes. */
export interface SchemaWords {
  /** Text between alternatives. */
  readonly or: string;
  /** Describes a choice of values. A constant is a choice of one. */
  choice(values: readonly unknown[], schema: JsonSchema): string;
  /** Describes a list by the description of its items. Default: as a leaf. */
  list?(items: string, schema: JsonSchema): string;
  /** Describes an object. Default: as a leaf. */
  object?(schema: JsonSchema): string;
  leaf(schema: JsonSchema): string;
}

/** Describes what a value may be. Alternatives with the same description are named once. */
export function describeSchema(schema: JsonSchema, words: SchemaWords): string {
  const variants = variantsOf(schema);
  if (variants.length > 1)
    return [...new Set(variants.map((variant) => describeSchema(variant, words)))].join(words.or);
  const [only = schema] = variants;
  if (only.enum) return words.choice(only.enum, only);
  if (only.const !== undefined) return words.choice([only.const], only);
  if (only.items && words.list) return words.list(describeSchema(only.items, words), only);
  return only.properties && words.object ? words.object(only) : words.leaf(only);
}

export interface ExampleOptions {
  /** Name of the field that the value is for. */
  field?: string;
  /** Returns the preferred value of a field, which is used if the schema accepts it, or undefined if there is none. */
  valueFor?(field: string, schema: JsonSchema): unknown;
}

/**
 * Returns a value that the schema accepts, with only the required fields, and with null only if nothing else is
 * allowed.
 */
export function exampleOf(union: JsonSchema, options: ExampleOptions = {}): unknown {
  const { field = "", valueFor } = options;
  const schema = variantFor(union, undefined);
  const { type, properties = null, required = [], items } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (properties) {
    const fields = [...required, ...(schema.oneOf?.[0]?.required ?? [])].map((name) => [
      name,
      exampleOf(properties[name] as JsonSchema, { ...options, field: name }),
    ]);
    return Object.fromEntries(fields);
  }
  if (items) return [exampleOf(items, options)];
  const examples = [valueFor?.(field, union), ...(schema.examples ?? union.examples ?? [])];
  const example = examples.find((candidate) => accepts(schema, candidate));
  if (example !== undefined) return example;
  if (type === "number" || type === "integer") return schema.minimum ?? 1;
  if (type === "boolean") return true;
  if (type === "object") return {};
  return type === "null" ? null : exampleText(schema);
}

/** Returns whether a schema accepts an example, which may belong to another field with the same name. */
const accepts = (schema: JsonSchema, value: unknown): boolean =>
  isOfType(schema, value) &&
  new RegExp(schema.pattern ?? "").test(String(value)) &&
  (schema.format !== "date" || /^\d{4}-\d\d-\d\d$/.test(String(value)));

const examplesByFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T09:00:00.000Z",
  date: "2026-01-31",
  uri: "https://example.com/",
  email: "adaeze@example.com",
};

/** Matches a pattern of digits and captures its minimum length, such as ^[0-9]{11}$. */
const digitsPattern = /^\^\[0-9\]\{(\d+)(?:,\d+)?\}\$$/;

function exampleText({ format = "", pattern = "", minLength = 0 }: JsonSchema): string {
  const count = Number(digitsPattern.exec(pattern)?.[1] ?? 0);
  if (count > 0) return "0123456789".repeat(2).slice(0, count);
  return (
    examplesByFormat[format] ?? "some words of a text ".repeat(Math.ceil((minLength + 1) / 21)).trimEnd()
  );
}
