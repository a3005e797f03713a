/** Finds values that are null where a consumer expects a pattern: Pact's verifier takes null for a match of any. */
import { isObject } from "../../contract/json.js";
import type { ExpectedPattern } from "./pact-file.js";

/** A step of a JSON path: `.name`, `['name']`, `[0]`, `.*` or `[*]`. */
const step = /\.(?<name>[\w$-]+|\*)|\[(?:'(?<quoted>[^']*)'|(?<index>\d+|\*))\]/y;

/** Returns the steps of a JSON path, or null if it has others. */
function stepsOf(path: string): string[] | null {
  const steps: string[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const found = step.exec(path)?.groups;
    if (!found) return null;
    steps.push((found.name ?? found.quoted ?? found.index) as string);
  }
  return path.startsWith("$") ? steps : null;
}

/** Returns the values at a path. */
function valuesAt(value: unknown, [first, ...rest]: readonly string[]): unknown[] {
  if (first === undefined) return [value];
  if (!isObject(value) && !Array.isArray(value)) return [];
  const inner =
    first === "*" ? Object.values(value) : Object.hasOwn(value, first) ? [value[first as never]] : [];
  return inner.flatMap((one) => valuesAt(one, rest));
}

/** Returns one sentence per pattern that a null of the body stands for. `body` is the text of the answer. */
export function nullProblems(patterns: readonly ExpectedPattern[], body: string): string[] {
  if (patterns.length === 0) return [];
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return [];
  }
  return patterns
    .filter(({ path }) => valuesAt(value, stepsOf(path) ?? [""]).includes(null))
    .map(({ path, regex }) => `body ${path}: expected a text that matches /${regex}/, got null`);
}
