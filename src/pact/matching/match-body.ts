/** Builds a JSON body for a pact: an example, and the matching rules of its values. */
import type { JsonSchema } from "../../contract/json-schema.js";
import { type MatchingRule, matcherFor } from "./matchers.js";
import { sample } from "./sample.js";
import { isNullable, variantFor } from "./variants.js";

export interface MatchedBody {
  content: unknown;
  /** Matching rules by JSON path. */
  rules: Record<string, MatchingRule>;
}

export interface MatchOptions {
  /** Requires at least one entry in lists whose example has one. Default false. */
  filled?: boolean;
  /**
   * Takes the example literally where the schema leaves a choice: a nullable value is null or not as in the example, and
   * an empty list stays empty. Default false.
   */
  strict?: boolean;
  /** JSON paths of values that are compared exactly. */
  exact?: readonly string[];
}

/** Omits fields that the schema does not declare, because a consumer cannot rely on them. */
export function matchBody(
  schema: JsonSchema,
  value: unknown,
  { filled = false, strict = false, exact = [] }: MatchOptions = {},
): MatchedBody {
  const rules: Record<string, MatchingRule> = {};
  const content = matchValue({ rules, minItems: filled ? 1 : 0, strict, exact }, "$", schema, value);
  return { content, rules };
}

interface Matching {
  rules: Record<string, MatchingRule>;
  /** Minimum length of lists whose example has an entry. */
  minItems: number;
  strict: boolean;
  exact: readonly string[];
}

function matchValue(matching: Matching, path: string, union: JsonSchema, value: unknown): unknown {
  const { rules, strict, exact } = matching;
  if (exact.includes(path)) return value;
  const schema = variantFor(union, value);
  const nullable = isNullable(union);
  if (strict && nullable && value === null) {
    rules[path] = { combine: "AND", matchers: [{ match: "null" }] };
    return null;
  }
  if (schema.properties) return matchObject(matching, path, schema.properties, value);
  if (schema.items) return matchList(matching, path, schema.items, value);
  const matcher = matcherFor(schema);
  if (nullable && !strict) {
    rules[path] = { combine: "OR", matchers: [...(matcher ? [matcher] : []), { match: "null" }] };
  } else if (matcher) {
    rules[path] = { combine: "AND", matchers: [matcher] };
  }
  // An example of null would make a type matcher ask for null.
  return nullable && value === null ? sample(union) : value;
}

/** Returns undefined, which omits the field, where the example has no object. */
function matchObject(
  matching: Matching,
  path: string,
  properties: NonNullable<JsonSchema["properties"]>,
  value: unknown,
) {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const content = schema && matchValue(matching, `${path}.${name}`, schema, inner);
    return content === undefined ? [] : [[name, content]];
  });
  return Object.fromEntries(fields);
}

/** Reduces the list to one entry that stands for all. */
function matchList(matching: Matching, path: string, items: JsonSchema, value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  if (matching.strict && value.length === 0) return [];
  const min = value.length > 0 ? matching.minItems : 0;
  matching.rules[path] = { combine: "AND", matchers: [{ match: "type", min }] };
  const entry = value.length > 0 ? value[0] : sample(items);
  return [matchValue({ ...matching, minItems: 0 }, `${path}[*]`, items, entry)];
}
