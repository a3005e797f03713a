/** Changes JSON replies as the fault of a rule asks: other values, further fields, another order. */
import { isObject, setAtPath } from "../contract/json.js";
import { Binary, JsonText, Stream } from "../contract/reply-forms.js";
import type { PlannedFault } from "../rules/faults.js";

/** Returns a reply as the fault changes it. Only successful JSON replies are changed. */
export function changeReply(body: unknown, status: number, { set, reply }: PlannedFault): unknown {
  const isChanged = set !== undefined || reply === "reordered" || reply === "reversed_lists";
  if (!isChanged || status >= 300 || body instanceof Binary || body instanceof Stream) return body;
  const text = body instanceof JsonText ? Buffer.concat(body.pieces).toString() : JSON.stringify(body);
  const copy: unknown = JSON.parse(text);
  for (const [path, value] of Object.entries(set ?? {})) setAtPath(copy, path, value);
  if (reply === "reversed_lists") return withReversedLists(copy);
  return reply === "reordered" ? reversed(copy) : copy;
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, field]) => [name, reversed(field)]));
}

function withReversedLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReversedLists).reverse();
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, field]) => [name, withReversedLists(field)]));
}
