/**
 * Placeholders for values in rules and expectations: `/…/` is a pattern for the whole value, `!/…/` a pattern that it must
 * not match, and `<type>` its type.
 */
import { isObject, isRoundedInteger, roundedIntegerReason } from "../contract/json.js";
import { formatNearest } from "../contract/nearest.js";
import { fromIso } from "../time/time.js";
import { InvalidPattern, LinearPattern, type MatchingBudget } from "./linear-pattern.js";

/** A placeholder for all values that it matches. */
export abstract class Placeholder {
  constructor(readonly text: string) {}

  abstract matches(actual: unknown): boolean;

  toJSON(): string {
    return this.text;
  }
}

/** A regular expression for a whole value, or `!/…/` for all texts that it does not match. */
class Pattern extends Placeholder {
  readonly #whole: LinearPattern;
  readonly #isNegated: boolean;

  /** Throws an InvalidPattern when the expression cannot be used. */
  constructor(text: string, budget: MatchingBudget | null) {
    super(text);
    this.#isNegated = text.startsWith("!");
    this.#whole = new LinearPattern(text.slice(this.#isNegated ? 2 : 1, -1), budget);
  }

  /**
   * Returns whether the value matches. Numbers and booleans match by their text; objects, null and missing values never
   * match.
   */
  matches(actual: unknown): boolean {
    const isText = ["string", "number", "boolean"].includes(typeof actual);
    return isText && this.#whole.matches(String(actual)) !== this.#isNegated;
  }
}

export const isPattern = (text: string): boolean => /^!?\/.+\/$/s.test(text);

/** Returns why a pattern with flags, such as `/R1/i` of JavaScript, is refused. Null for other texts. */
function flagsReason(text: string): string | null {
  const [, pattern, flags] = /^!?\/(.+)\/([dgimsuvy]{1,3})$/s.exec(text.slice(0, 1_000)) ?? [];
  if (flags === undefined) return null;
  const instead = flags === "i" ? `; write (?i) at its beginning, as in /(?i)${pattern?.slice(0, 100)}/` : "";
  return `a pattern has no flags behind its last slash${instead}; the text itself is /${text.slice(0, 100)}/`;
}

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

/** Returns whether a text in angle brackets names a type. Other such texts stand for themselves. */
const isTypeName = (text: string): boolean => /^<[a-z]+>$/.test(text);

function describeUnknownType(type: string): string {
  const names = Object.keys(types).map((name) => `<${name}>`);
  const nearest = formatNearest(type, names) || `, there is ${names.join(", ")}`;
  return `there is no type ${type}${nearest}; the text itself is /${type}/`;
}

/**
 * Returns the value with its placeholders compiled. Without a budget, patterns may take any amount of work. Throws an
 * InvalidPattern when a pattern is invalid, a type does not exist or an integer has been rounded.
 */
export function compile(
  value: unknown,
  budget: MatchingBudget | null = null,
  at: readonly string[] = [],
): unknown {
  // A rounded number would also match other numbers that are rounded to it.
  if (isRoundedInteger(value)) throw new InvalidPattern(roundedIntegerReason, at.join("."));
  const compiled = (inner: unknown, key: string | number) => compile(inner, budget, [...at, String(key)]);
  if (Array.isArray(value)) return value.map(compiled);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, compiled(inner, key)]));
  try {
    return typeof value === "string" ? compileText(value, budget) : value;
  } catch (error) {
    throw error instanceof InvalidPattern ? new InvalidPattern(error.reason, at.join(".")) : error;
  }
}

/** Returns what is wrong with the placeholders of a value, or null. */
export function placeholderProblem(value: unknown): InvalidPattern | null {
  try {
    compile(value);
    return null;
  } catch (error) {
    if (error instanceof InvalidPattern) return error;
    throw error;
  }
}

function compileText(text: string, budget: MatchingBudget | null): Placeholder | string {
  if (isTypeName(text)) {
    if (Object.hasOwn(types, text.slice(1, -1))) return new TypeName(text);
    throw new InvalidPattern(describeUnknownType(text.slice(0, 100)));
  }
  const flags = flagsReason(text);
  if (flags !== null) throw new InvalidPattern(flags);
  return isPattern(text) ? new Pattern(text, budget) : text;
}
