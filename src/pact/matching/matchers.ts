/** Which matcher of Pact a field of the contract asks for: by its schema, never by what happened to come. */
import type { JsonSchema } from "../../contract/json-schema.js";

/** A matcher as a pact file has it. */
export interface Matcher {
  match: string;
  regex?: string;
  format?: string;
  min?: number;
}

export interface Rule {
  combine: "AND" | "OR";
  matchers: Matcher[];
}

/** The dates of Java, which Pact speaks. */
const dateTime = "yyyy-MM-dd'T'HH:mm:ss.SSSX";
const date = "yyyy-MM-dd";

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** Pact holds a regular expression against the whole value; the contract's patterns may hold against a part. */
const whole = (pattern: string): string =>
  /^\^.*\$$/.test(pattern) ? pattern : `[\\s\\S]*(?:${pattern})[\\s\\S]*`;

/** Null: the value is compared as it is. */
export function matcherFor(shape: JsonSchema): Matcher | null {
  if (shape.const !== undefined) return null;
  if (shape.enum) return { match: "regex", regex: `^(?:${shape.enum.map(String).map(escaped).join("|")})$` };
  if (shape.format === "date-time") return { match: "datetime", format: dateTime };
  if (shape.format === "date") return { match: "date", format: date };
  if (shape.pattern !== undefined) return { match: "regex", regex: whole(shape.pattern) };
  switch (shape.type) {
    // `decimal` refuses whole numbers, and amounts are often whole.
    case "number":
    case "integer":
    case "boolean":
    case "null":
      return { match: shape.type };
    default:
      return { match: "type" };
  }
}
