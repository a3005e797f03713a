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

/** Returns the object of a JSON text, or null if there is none. */
export function parseObject(text: string | null | undefined): Record<string, unknown> | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}
