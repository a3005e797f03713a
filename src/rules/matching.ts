/** Matches requests against the parts that rules and expectations name. */
import { headerPairs } from "../contract/headers.js";
import { isObject, valueAt } from "../contract/json.js";
import type { JournalEntry } from "../world/activity/request-journal.js";
import type { MatchingBudget } from "./linear-pattern.js";
import { compile, Placeholder } from "./patterns.js";

export interface Difference {
  /** Path of keys to the value. */
  at: readonly string[];
  expected: unknown;
}

/**
 * Yields the places where `actual` differs from `expected`. Objects match by the fields that `expected` names, arrays
 * item by item at the same length, other values by equality. A missing object differs in each of its fields.
 */
export function* differences(
  actual: unknown,
  expected: unknown,
  at: readonly string[] = [],
): Generator<Difference> {
  if (expected instanceof Placeholder) {
    if (!expected.matches(actual)) yield { at, expected };
  } else if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) yield { at, expected };
    else for (const [index, item] of expected.entries()) yield* within(actual, String(index), item, at);
  } else if (isObject(expected)) {
    const fields = Object.entries(expected);
    if (!isObject(actual) && (actual !== undefined || fields.length === 0)) yield { at, expected };
    else for (const [key, value] of fields) yield* within(actual, key, value, at);
  } else if (actual !== expected) {
    yield { at, expected };
  }
}

const within = (outer: unknown, key: string, expected: unknown, at: readonly string[]) =>
  differences(valueAt(outer, [key]), expected, [...at, key]);

/** Returns whether `actual` has everything that `expected` names. */
export const includes = (actual: unknown, expected: unknown): boolean =>
  differences(actual, expected).next().done === true;

/** Compiles the parts of a request for matching with `partsOf`. Header names match in any case. Throws an InvalidPattern. */
export function toExpectation(
  { headers, ...parts }: { headers?: Readonly<Record<string, string>> },
  budget: MatchingBudget | null = null,
): unknown {
  if (!headers) return compile(parts, budget);
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return compile({ ...parts, headers: Object.fromEntries(lower) }, budget);
}

/** Returns the parts of a journalled request that an expectation may name. */
export function partsOf(entry: JournalEntry) {
  const mark = `${entry.path}?`.indexOf("?");
  const headers = new Map<string, string>();
  for (const [sent, value] of headerPairs(entry.headers)) {
    const name = sent.toLowerCase();
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return {
    operation: entry.operation,
    path: entry.path.slice(0, mark),
    query: toQuery(entry.path.slice(mark + 1)),
    headers: Object.fromEntries(headers),
    body: toBody(entry),
    status: entry.status,
  };
}

/** Parses a query string as operations get it: a repeated name gives an array. */
function toQuery(search: string): Record<string, string | string[]> {
  const all = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(all.keys())].map((name) => {
      const values = all.getAll(name);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}

/**
 * Returns the body, or undefined if the journal did not keep it. A body that the service refused as malformed JSON
 * remains a text.
 */
function toBody({ body, error_code }: JournalEntry): unknown {
  if (body === null) return undefined;
  if (body === "") return {};
  try {
    return error_code === "malformed_json" ? body : JSON.parse(body);
  } catch {
    return body;
  }
}
