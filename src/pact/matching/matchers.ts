/** Chooses the Pact matcher of a field by its schema, never by its value. */
import type { JsonSchema } from "../../contract/json-schema.js";

/** A matcher as a pact file has it. */
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

/** Date patterns of Java's SimpleDateFormat, which Pact uses. */
const timestampFormat = "yyyy-MM-dd'T'HH:mm:ss.SSSX";
const dateFormat = "yyyy-MM-dd";

const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Pact matches a regex against the whole value, JSON Schema against any part of it. */
const wholeValueRegex = (pattern: string): string =>
  /^\^.*\$$/.test(pattern) ? pattern : `[\\s\\S]*(?:${pattern})[\\s\\S]*`;

/** Returns null for a constant, which is compared as it is. */
export function matcherFor({ const: only, enum: values, format, pattern, type }: JsonSchema): Matcher | null {
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
