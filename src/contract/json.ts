/** Returns whether a JSON value has fields. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the value of a JSON text, or undefined if there is no text or it is not JSON. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value of a JSON text, and any other text as it is. */
export function jsonOrText(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** Returns the object of a JSON text, or null if there is none. */
export function parseObject(text: string | null | undefined): Record<string, unknown> | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

/** Returns the value at a path of keys, or undefined when there is none. */
export const valueAt = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  );

/** Yields the objects in a value, outer ones first. */
export function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (isObject(value)) yield value;
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* objectsIn(inner);
}

/** Returns whether a number is an integer beyond 2^53, which may have been rounded when it was parsed. */
export const isRoundedInteger = (value: unknown): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value);

/** Reason why such a number is refused where its digits matter. */
export const roundedIntegerReason =
  "is an integer beyond 2^53, which would be rounded; send its digits as a string";

/** Returns the path of the first number in a value that has the property, or null. */
export function findNumber(
  value: unknown,
  has: (number: number) => boolean,
  path: readonly string[] = [],
): readonly string[] | null {
  if (typeof value === "number") return has(value) ? path : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = findNumber(inner, has, [...path, key]);
    if (found) return found;
  }
  return null;
}

/** Sets a value at a path of field names joined by dots. `*` stands for every element of a list. */
export const setAtPath = (target: unknown, path: string, value: unknown): void =>
  setAt(target, path.split("."), value);

/** Sets a value at every place that the path matches. Only own fields are entered, never inherited ones. */
function setAt(target: unknown, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (Array.isArray(target) && name === "*") {
    for (const [index, element] of target.entries()) {
      if (rest.length === 0) target[index] = value;
      else setAt(element, rest, value);
    }
  } else if (isObject(target) && rest.length > 0) {
    if (Object.hasOwn(target, name)) setAt(target[name], rest, value);
  } else if (isObject(target)) {
    setField(target, name, value);
  }
}

/** Sets a value at a path of keys. Missing containers are created: a list for a numeric key, otherwise an object. */
export function putAt(target: object, [key = "", ...rest]: readonly string[], value: unknown): void {
  const [next] = rest;
  if (next === undefined) return setField(target, key, value);
  const inner = valueAt(target, [key]);
  const within = typeof inner === "object" && inner !== null ? inner : /^\d+$/.test(next) ? [] : {};
  setField(target, key, within);
  putAt(within, rest, value);
}

/** Sets a field of any name, `__proto__` included. */
export function setField(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Formats a JSON document on one line with a space after each comma and colon. Inside texts, line ends are escaped. */
export const formatSpaced = (document: object): string =>
  JSON.stringify(document, null, 1).replaceAll(/\n */g, " ");
