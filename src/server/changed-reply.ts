/** Changes JSON replies as the fault of a rule asks: other values, further fields, another order. */
import { isObject } from "../contract/json.js";
import { Binary, JsonText, Stream } from "../contract/reply-forms.js";
import type { PlannedFault } from "../rules/faults.js";

/** Returns a reply as the fault changes it. Only successful JSON replies are changed. */
export function changeReply(body: unknown, status: number, { set, reply }: PlannedFault): unknown {
  const isChanged = set !== undefined || reply === "reordered";
  if (!isChanged || status >= 300 || body instanceof Binary || body instanceof Stream) return body;
  const text = body instanceof JsonText ? Buffer.concat(body.pieces).toString() : JSON.stringify(body);
  const copy: unknown = JSON.parse(text);
  for (const [path, value] of Object.entries(set ?? {})) setAt(copy, path.split("."), value);
  return reply === "reordered" ? reversed(copy) : copy;
}

/**
 * Sets a value wherever the path leads. A path that leads nowhere sets nothing: only fields of the reply itself are entered,
 * never what every object inherits.
 */
function setAt(target: unknown, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (Array.isArray(target) && name === "*") {
    for (const [index, element] of target.entries()) {
      if (rest.length === 0) target[index] = value;
      else setAt(element, rest, value);
    }
  } else if (isObject(target) && rest.length > 0) {
    if (Object.hasOwn(target, name)) setAt(target[name], rest, value);
  } else if (isObject(target)) {
    // A field of any name, `__proto__` included.
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  }
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, field]) => [name, reversed(field)]));
}
