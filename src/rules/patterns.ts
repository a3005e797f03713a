/** What a tester may write in place of a value: `/…/`, a pattern for the whole of it, or `<type>`, what it must be. */
import { type Context, createContext, Script } from "node:vm";
import { formatNearest } from "../contract/nearest.js";
import { isObject } from "../world/json.js";
import { fromIso } from "../world/time/time.js";

/** Stands for all values that it fits. */
export abstract class Placeholder {
  constructor(readonly text: string) {}

  abstract fits(actual: unknown): boolean;

  toJSON(): string {
    return this.text;
  }
}

/** A regular expression for a whole value. */
export class Pattern extends Placeholder {
  readonly #whole: RegExp;

  /** Throws a SyntaxError when the expression is none. */
  constructor(text: string) {
    super(text);
    // Compiled alone first: in the group, `a)|(b` would be right.
    const { source } = new RegExp(text.slice(1, -1));
    this.#whole = new RegExp(`^(?:${source})$`);
  }

  /** Numbers and booleans fit by their text; objects, null and what is not there never do. */
  fits(actual: unknown): boolean {
    return ["string", "number", "boolean"].includes(typeof actual) && this.#whole.test(String(actual));
  }
}

const isPattern = (text: string): boolean => text.length > 2 && text.startsWith("/") && text.endsWith("/");

/** What `<…>` may name, and which values it stands for. */
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
  fits(actual: unknown): boolean {
    return types[this.text.slice(1, -1)]?.(actual) ?? false;
  }
}

/** Other texts in angle brackets are texts. */
const isTypeName = (text: string): boolean => /^<[a-z]+>$/.test(text);

function sayNoType(asked: string): string {
  const names = Object.keys(types).map((name) => `<${name}>`);
  const nearest = formatNearest(asked, names) || `, there is ${names.join(", ")}`;
  return `there is no type ${asked}${nearest}; the text itself is /${asked}/`;
}

/** Told where a pattern is not valid or a type does not exist, and why. */
export type RefusePattern = (at: string, reason: string) => never;

/** The value with its placeholders ready. */
export function compile(value: unknown, refuse: RefusePattern, at: readonly string[] = []): unknown {
  if (typeof value === "string") {
    if (isTypeName(value)) {
      if (Object.hasOwn(types, value.slice(1, -1))) return new TypeName(value);
      return refuse(at.join("."), sayNoType(value.slice(0, 100)));
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

const script = new Script("judge()");
let context: Context | null = null;

/**
 * What `judge` finds within so many real ms; null when it takes longer: a pattern that backtracks without end must
 * not hold up every account.
 */
export function runWithTimeout<T>(judge: () => T, ms: number): T | null {
  context ??= createContext({});
  context.judge = judge;
  try {
    return script.runInContext(context, { timeout: ms }) as T;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
    throw error;
  } finally {
    context.judge = null;
  }
}
