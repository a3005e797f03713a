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

/** Value that stands for a field that is not there. */
export const absent = "<absent>";

/** Values that a document must have where it is changed, by path. `document` is the part that the paths begin at. */
interface Condition {
  document: unknown;
  values: readonly (readonly [path: readonly string[], value: unknown])[];
}

/**
 * Sets values at paths of field names joined by dots; `absent` removes a field. `*` stands for every element of a list. `where`:
 * values, by paths of the same kind, that the document must have as it is now. A path through a list concerns the element that is
 * changed.
 */
export function setAtPaths(
  target: unknown,
  set: Readonly<Record<string, unknown>>,
  where?: Readonly<Record<string, unknown>>,
): void {
  const condition = where && {
    document: structuredClone(target),
    values: Object.entries(where).map(([path, value]) => [path.split("."), value] as const),
  };
  for (const [path, value] of Object.entries(set)) setAt(target, path.split("."), value, condition);
}

/** Sets a value at every place that the path matches. Only own fields are entered, never inherited ones. */
function setAt(
  target: unknown,
  [name = "", ...rest]: readonly string[],
  value: unknown,
  condition?: Condition,
): void {
  if (Array.isArray(target) && name === "*") {
    for (const [index, element] of target.entries()) {
      if (rest.length === 0) target[index] = value;
      else setAt(element, rest, value, condition && within(condition, name, String(index)));
    }
  } else if (isObject(target) && isMet(condition, rest.length > 0 ? name : null)) {
    if (rest.length === 0 && value === absent) delete target[name];
    else if (rest.length === 0) setField(target, name, value);
    else if (Object.hasOwn(target, name))
      setAt(target[name], rest, value, condition && within(condition, name, name));
  }
}

/** Returns the part of a condition that concerns a field or an element. */
const within = ({ document, values }: Condition, name: string, key: string): Condition => ({
  document: valueAt(document, [key]),
  values: values.flatMap(([[first, ...rest], value]) =>
    first === name && rest.length > 0 ? [[rest, value] as const] : [],
  ),
});

/** Returns whether an object has the values of a condition, apart from those within the field that is entered. */
const isMet = (condition: Condition | undefined, entered: string | null): boolean =>
  condition === undefined ||
  condition.values.every(
    ([path, value]) =>
      (path[0] === entered && path.length > 1) || valueAt(condition.document, path) === value,
  );

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
