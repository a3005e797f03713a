/** Formats large replies in turns of the event loop, so that they hold up no other request. */
import { JsonText } from "../contract/reply-forms.js";
import { gatherText } from "../world/store/text-pieces.js";

/** Number of entries of a list from which a reply is formatted in turns. */
const maxEntriesAtOnce = 1_000;

const isLong = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > maxEntriesAtOnce;

/** This runs for every reply, so it allocates nothing. */
function hasLong(body: object): boolean {
  for (const name in body) if (isLong(body[name as keyof typeof body])) return true;
  return false;
}

/** Returns the body as JSON text if it is, or has, a long list. Returns null for any other body. */
export function formatLarge(body: unknown): Promise<JsonText> | null {
  if (typeof body !== "object" || body === null || body instanceof JsonText) return null;
  if (!isLong(body) && !hasLong(body)) return null;
  return Promise.resolve(gatherText(isLong(body) ? listParts(body) : objectParts(body))).then(
    (pieces) => new JsonText(pieces),
  );
}

function* listParts(list: readonly unknown[]): Generator<string> {
  for (const [index, item] of list.entries())
    yield `${index === 0 ? "[" : ","}${JSON.stringify(item) ?? "null"}`;
  yield list.length === 0 ? "[]" : "]";
}

function* objectParts(object: object): Generator<string> {
  const fields = Object.entries(object).filter(([, value]) => value !== undefined);
  for (const [index, [name, value]] of fields.entries()) {
    yield `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`;
    if (isLong(value)) yield* listParts(value);
    else yield JSON.stringify(value);
  }
  yield "}";
}
