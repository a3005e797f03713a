/** References such as `${given.payments.0.payment_id}` to records and results of earlier steps. */
import { valueAt } from "../contract/json.js";

/** Thrown when a reference names something that does not exist. */
export class UnresolvedReference extends Error {}

/** `$${` is an escaped `${`, which begins no reference. */
const reference = /\$?\$\{([^{}]+)\}/g;
const isEscaped = (found: string): boolean => found.startsWith("$$");
const alone = /^\$\{([^{}]+)\}$/;

/** Returns the value with its references resolved. A text that is only a reference becomes the value that it names. */
export const resolveReferences = (value: unknown, scope: Readonly<Record<string, unknown>>): unknown =>
  replaceReferences(
    value,
    (path) => lookUp(path, scope),
    (path) => toText(lookUp(path, scope), path),
  );

/**
 * Replaces references: a text that is only a reference becomes the result of `whole`, and a reference inside a text the
 * result of `within`.
 */
export function replaceReferences(
  value: unknown,
  whole: (path: string) => unknown,
  within: (path: string) => string,
): unknown {
  if (typeof value === "string") {
    const path = alone.exec(value)?.[1];
    if (path !== undefined) return whole(path);
    return value.replace(reference, (found, inner: string) =>
      isEscaped(found) ? found.slice(1) : within(inner),
    );
  }
  if (Array.isArray(value)) return value.map((item) => replaceReferences(item, whole, within));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaceReferences(inner, whole, within)]),
  );
}

function lookUp(path: string, scope: Readonly<Record<string, unknown>>): unknown {
  const keys = keysOf(path);
  const found = valueAt(scope, keys);
  if (found !== undefined) return found;
  const known = keys.findIndex((_, index) => valueAt(scope, keys.slice(0, index + 1)) === undefined);
  const outer = valueAt(scope, keys.slice(0, known));
  const names = typeof outer === "object" && outer !== null ? Object.keys(outer) : [];
  const where = known === 0 ? "here" : `in ${keys.slice(0, known).join(".")}`;
  throw new UnresolvedReference(
    `\${${path}} names nothing: there is ${names.join(", ") || "nothing"} ${where}`,
  );
}

function toText(value: unknown, path: string): string {
  if (typeof value !== "object" || value === null) return String(value);
  throw new UnresolvedReference(`\${${path}} is an object, which cannot be part of a text`);
}

const keysOf = (path: string): string[] => path.trim().split(".");

export interface Reference {
  /** Path of keys to the text that contains it. */
  at: readonly string[];
  /** Path of keys that it names. */
  keys: readonly string[];
}

/** Yields every reference in a value. */
export function* referencesIn(value: unknown, at: readonly string[] = []): Generator<Reference> {
  if (typeof value === "string")
    for (const [found, path = ""] of value.matchAll(reference))
      if (!isEscaped(found)) yield { at, keys: keysOf(path) };
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* referencesIn(inner, [...at, key]);
}

export const hasReference = (value: unknown): boolean => referencesIn(value).next().done !== true;
