/** Parses JSON that a user typed, and saves files. */

/** Parses a JSON object that a user typed. Throws an error that can be shown; `what` names the field. */
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

/** Lets the browser save a file under this name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Saves a value as a JSON file. */
export const saveJson = (value: unknown, name: string): void =>
  saveFile(new Blob([JSON.stringify(value, null, 2)], { type: "application/json" }), name);
