/** Parses a JSON object that somebody typed. Throws an error for people; `what` names the field. */
export function parseTypedObject(text: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new Error(`${what} must be a JSON object, such as {"amount": 5000}.`);
}
