/** What a tester names of a request, held against what came: for rules, and for expectations on the request journal. */
import { isObject } from "../world/json.js";
import type { JournalEntry } from "../world/request-journal.js";
import { compile, Placeholder, type RefusePattern } from "./patterns.js";

export interface Difference {
  /** The keys that lead there. */
  at: readonly string[];
  expected: unknown;
}

/**
 * Where `actual` is not as expected, lazily. Objects match by the fields that `expected` names, arrays item by item at
 * the same length, all else by equality. An object that is not there differs in each of its fields.
 */
export function* differences(
  actual: unknown,
  expected: unknown,
  at: readonly string[] = [],
): Generator<Difference> {
  if (expected instanceof Placeholder) {
    if (!expected.fits(actual)) yield { at, expected };
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

/** Everything that `expected` names is in `actual`; what it does not name may be anything. */
export const includes = (actual: unknown, expected: unknown): boolean =>
  differences(actual, expected).next().done === true;

/** The value to which the keys lead; undefined when it is not there. */
export const valueAt = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  );

/** What an expectation names, ready to be held against `partsOf` a request: header names are the same in any case. */
export function toExpectation(
  { headers, ...parts }: { headers?: Readonly<Record<string, string>> },
  refuse: RefusePattern,
): unknown {
  if (!headers) return compile(parts, refuse);
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return compile({ ...parts, headers: Object.fromEntries(lower) }, refuse);
}

/** A journalled request in the parts that an expectation may name. */
export function partsOf(entry: JournalEntry) {
  const mark = `${entry.path}?`.indexOf("?");
  const headers = new Map<string, string>();
  for (let i = 0; i < entry.headers.length; i += 2) {
    const name = (entry.headers[i] as string).toLowerCase();
    const earlier = headers.get(name);
    headers.set(name, `${earlier === undefined ? "" : `${earlier}, `}${entry.headers[i + 1]}`);
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

/** As operations get it: a name that comes more than once has an array. */
function toQuery(search: string): Record<string, string | string[]> {
  const all = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(all.keys())].map((name) => {
      const values = all.getAll(name);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}

/** Undefined when the journal kept none. What the service refused as no JSON, or as nested too deep, stays text. */
function toBody({ body, error_code }: JournalEntry): unknown {
  if (body === null) return undefined;
  if (body === "") return {};
  try {
    return error_code === "malformed_json" ? body : JSON.parse(body);
  } catch {
    return body;
  }
}
