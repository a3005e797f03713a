/** Reads TypeBox schemas as plain JSON Schema. */
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
  /** Description of valid values, set by `coded()`. */
  "x-rule"?: string;
  examples?: readonly unknown[];
  required?: readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  /** Schemas of the values of a record, by a pattern of its keys. */
  patternProperties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
}

export const toJsonSchema = (schema: TSchema): JsonSchema => schema as unknown as JsonSchema;

/** Returns the alternatives of a schema; nested unions are flattened. */
export const variantsOf = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf?.flatMap(variantsOf) ?? [schema];

/** Returns all schemas, unions and their alternatives included, at a path of keys and indexes (`*` for any index). */
export function schemasAt(schema: TSchema, path: readonly string[]): JsonSchema[] {
  const withAlternatives = (one: JsonSchema): JsonSchema[] => [
    one,
    ...(one.anyOf ?? []).flatMap(withAlternatives),
  ];
  let found = withAlternatives(toJsonSchema(schema));
  for (const key of path) found = found.flatMap((one) => childOf(one, key) ?? []).flatMap(withAlternatives);
  return found;
}

function childOf({ properties, patternProperties, items }: JsonSchema, key: string): JsonSchema | undefined {
  if (properties && Object.hasOwn(properties, key)) return properties[key];
  const [, value] =
    Object.entries(patternProperties ?? {}).find(([pattern]) => new RegExp(pattern).test(key)) ?? [];
  return value ?? (/^(?:\d+|\*)$/.test(key) ? items : undefined);
}
