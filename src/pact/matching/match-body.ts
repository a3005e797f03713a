/** A JSON body as a pact file has it: the example, and by path what each of its values must be. */

import type { JsonSchema } from "../../contract/json-schema.js";
import { matcherFor, type Rule } from "./matchers.js";
import { isNullable, sample, variantFor } from "./schema-shape.js";

export interface MatchedBody {
  content: unknown;
  /** By JSON path. */
  rules: Record<string, Rule>;
}

export interface MatchedOptions {
  /** Lists have an entry at least; otherwise they may be empty. */
  filled?: boolean;
  /** What may be null is what the example is: null, or the other thing. A list without entries has none. */
  strict?: boolean;
  /** Paths of values that are compared as they are. */
  exact?: readonly string[];
}

/** Fields that the schema does not know are left out: nobody may rely on them. */
export function matchBody(
  shape: JsonSchema,
  value: unknown,
  { filled = false, strict = false, exact = [] }: MatchedOptions = {},
): MatchedBody {
  const rules: Record<string, Rule> = {};
  const content = walk({ rules, least: filled ? 1 : 0, strict, exact }, "$", shape, value);
  return { content, rules };
}

interface Walk {
  rules: Record<string, Rule>;
  /** Of entries in a list. */
  least: number;
  strict: boolean;
  exact: readonly string[];
}

function walk(at: Walk, path: string, whole: JsonSchema, value: unknown): unknown {
  if (at.exact.includes(path)) return value;
  const shape = variantFor(whole, value);
  const nullable = isNullable(whole);
  if (at.strict && nullable && value === null) {
    at.rules[path] = { combine: "AND", matchers: [{ match: "null" }] };
    return null;
  }
  if (shape.properties) return walkObject(at, path, shape.properties, value);
  if (shape.items) return walkList(at, path, shape.items, value);
  const matcher = matcherFor(shape);
  if (nullable && !at.strict) {
    const either = [...(matcher ? [matcher] : []), { match: "null" }];
    at.rules[path] = { combine: "OR", matchers: either };
  } else if (matcher) {
    at.rules[path] = { combine: "AND", matchers: [matcher] };
  }
  // Null as an example has no type: the matcher would ask for another null.
  return nullable && value === null ? sample(whole) : value;
}

/** An object that may be missing says nothing where it was: undefined leaves it out. */
function walkObject(
  at: Walk,
  path: string,
  properties: NonNullable<JsonSchema["properties"]>,
  value: unknown,
) {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const shape = properties[name];
    const content = shape && walk(at, `${path}.${name}`, shape, inner);
    return content === undefined ? [] : [[name, content]];
  });
  return Object.fromEntries(fields);
}

/** One entry stands for all. */
function walkList(at: Walk, path: string, items: JsonSchema, value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  if (at.strict && value.length === 0) return [];
  const least = value.length > 0 ? at.least : 0;
  at.rules[path] = { combine: "AND", matchers: [{ match: "type", min: least }] };
  const entry = value.length > 0 ? value[0] : sample(items);
  return [walk({ ...at, least: 0 }, `${path}[*]`, items, entry)];
}
