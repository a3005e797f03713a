/** Builds a JSON body for a pact: an example, and the matching rules of its values. */
import { isNullable, type JsonSchema, variantFor } from "../../contract/schema-walk.js";
import { example } from "../examples.js";

/** A matcher, as written in a pact file. */
export interface Matcher {
  match: string;
  regex?: string;
  format?: string;
  min?: number;
}

export interface MatchingRule {
  combine: "AND" | "OR";
  matchers: Matcher[];
}

export interface MatchedBody {
  content: unknown;
  /** Matching rules by JSON path. */
  rules: Record<string, MatchingRule>;
}

export interface MatchOptions {
  /** Requires at least one entry in lists whose example has one. Default false. */
  filled?: boolean;
  /** JSON paths of values that are compared exactly. */
  exact?: readonly string[];
}

/** Omits fields that the schema does not declare, because a consumer cannot rely on them. */
export function matchBody(
  schema: JsonSchema,
  value: unknown,
  { filled = false, exact = [] }: MatchOptions = {},
): MatchedBody {
  const rules: Record<string, MatchingRule> = {};
  const content = matchValue({ rules, minItems: filled ? 1 : 0, exact }, "$", schema, value);
  return { content, rules };
}

interface Matching {
  rules: Record<string, MatchingRule>;
  /** Minimum length of lists whose example has an entry. */
  minItems: number;
  exact: readonly string[];
}

function matchValue(matching: Matching, path: string, union: JsonSchema, value: unknown): unknown {
  const { rules, exact } = matching;
  if (exact.includes(path)) return value;
  const schema = variantFor(union, value);
  const nullable = isNullable(union);
  if (schema.properties) return matchObject(matching, path, schema.properties, value);
  if (schema.items) return matchList(matching, path, schema.items, value);
  const matcher = matcherFor(schema);
  if (nullable) {
    rules[path] = { combine: "OR", matchers: [...(matcher ? [matcher] : []), { match: "null" }] };
  } else if (matcher) {
    rules[path] = { combine: "AND", matchers: [matcher] };
  }
  // An example of null would make a type matcher ask for null.
  return nullable && value === null ? example(union) : value;
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
  const min = value.length > 0 ? matching.minItems : 0;
  matching.rules[path] = { combine: "AND", matchers: [{ match: "type", min }] };
  const entry = value.length > 0 ? value[0] : example(items);
  return [matchValue({ ...matching, minItems: 0 }, `${path}[*]`, items, entry)];
}

/** Date patterns of Java's SimpleDateFormat, which Pact uses. */
const timestampFormat = "yyyy-MM-dd'T'HH:mm:ss.SSSX";
const dateFormat = "yyyy-MM-dd";

const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Pact matches a regex against the whole value, JSON Schema against any part of it. */
const wholeValueRegex = (pattern: string): string =>
  /^\^.*\$$/.test(pattern) ? pattern : `[\\s\\S]*(?:${pattern})[\\s\\S]*`;

/** Returns null for a constant, which is compared as it is. */
function matcherFor({ const: only, enum: values, format, pattern, type }: JsonSchema): Matcher | null {
  if (only !== undefined) return null;
  if (values) return { match: "regex", regex: `^(?:${values.map(String).map(escapeRegex).join("|")})$` };
  if (format === "date-time") return { match: "datetime", format: timestampFormat };
  if (format === "date") return { match: "date", format: dateFormat };
  if (pattern !== undefined) return { match: "regex", regex: wholeValueRegex(pattern) };
  switch (type) {
    // Not `decimal`: it refuses whole numbers, which amounts often are.
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return { match: type };
    default:
      return { match: "type" };
  }
}
