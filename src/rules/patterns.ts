/** Placeholders for values in rules and expectations: `/…/`, a pattern for the whole value, or `<type>`, its type. */

import { isObject } from "../contract/json.js";
import { formatNearest } from "../contract/nearest.js";
import { fromIso } from "../time/time.js";

/** Stands for all the values that it matches. */
export abstract class Placeholder {
  constructor(readonly text: string) {}

  abstract matches(actual: unknown): boolean;

  toJSON(): string {
    return this.text;
  }
}

/** A regular expression for a whole value. */
class Pattern extends Placeholder {
  readonly #whole: RegExp;

  /** Throws a SyntaxError when the expression is invalid. */
  constructor(text: string) {
    super(text);
    // Compiled alone first: `a)|(b` is invalid, but would be valid inside the group.
    const { source } = new RegExp(text.slice(1, -1));
    this.#whole = new RegExp(`^(?:${source})$`);
  }

  /** Numbers and booleans match by their text. Objects, null and missing values never match. */
  matches(actual: unknown): boolean {
    return ["string", "number", "boolean"].includes(typeof actual) && this.#whole.test(String(actual));
  }
}

const isPattern = (text: string): boolean => text.length > 2 && text.startsWith("/") && text.endsWith("/");

/** Names that `<…>` takes, with the values that each matches. */
export const types: Readonly<Record<string, (actual: unknown) => boolean>> = {
  any: (actual) => actual !== undefined,
  absent: (actual) => actual === undefined,
  string: (actual) => typeof actual === "string",
  number: (actual) => typeof actual === "number",
  integer: (actual) => Number.isInteger(actual),
  boolean: (actual) => typeof actual === "boolean",
  null: (actual) => actual === null,
  array: (actual) => Array.isArray(actual),
  object: isObject,
  time: (actual) => typeof actual === "string" && fromIso(actual) !== null,
};

class TypeName extends Placeholder {
  matches(actual: unknown): boolean {
    return types[this.text.slice(1, -1)]?.(actual) ?? false;
  }
}

/** Other texts in angle brackets stand for themselves. */
const isTypeName = (text: string): boolean => /^<[a-z]+>$/.test(text);

function describeUnknownType(asked: string): string {
  const names = Object.keys(types).map((name) => `<${name}>`);
  const nearest = formatNearest(asked, names) || `, there is ${names.join(", ")}`;
  return `there is no type ${asked}${nearest}; the text itself is /${asked}/`;
}

/** Called with the place and the reason when a pattern is invalid or a type does not exist. */
export type RefusePattern = (at: string, reason: string) => never;

/** Returns the value with its placeholders compiled. */
export function compile(value: unknown, refuse: RefusePattern, at: readonly string[] = []): unknown {
  if (typeof value === "string") {
    if (isTypeName(value)) {
      if (Object.hasOwn(types, value.slice(1, -1))) return new TypeName(value);
      return refuse(at.join("."), describeUnknownType(value.slice(0, 100)));
    }
    if (!isPattern(value)) return value;
    try {
      return new Pattern(value);
    } catch (error) {
      return refuse(at.join("."), (error as Error).message.slice(0, 200));
    }
  }
  const compiled = (inner: unknown, key: string | number) => compile(inner, refuse, [...at, String(key)]);
  if (Array.isArray(value)) return value.map(compiled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, compiled(inner, key)]));
}
