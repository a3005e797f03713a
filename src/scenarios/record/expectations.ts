/** Turns recorded replies into expectations: by type, with the values that requests set and those that decide. */
import { isObject } from "../../contract/json.js";
import { idPrefixOf } from "../../contract/schemas.js";
import { fromIso } from "../../time/time.js";
import { type KnownValues, leavesOf } from "./known-values.js";
import type { Secrets } from "./secrets.js";

/** Fields whose values say what has happened. */
const decisive = new Set(
  "status state valid verified reason code param event kind type currency session_active is_test test".split(
    " ",
  ),
);

/** Longest list whose items are expected one by one. */
const maxItems = 5;

export interface Expecting {
  known: KnownValues;
  secrets: Secrets;
  /** Values that the request of this reply set. */
  asked: unknown;
}

/** Returns what a scenario expects of a value. */
export function expectationOf(value: unknown, { known, secrets, asked }: Expecting): unknown {
  const set = new Set([...leavesOf(asked)].map(({ leaf }) => leaf));
  const expect = (inner: unknown, field: string): unknown => {
    if (Array.isArray(inner))
      return isListOfRecords(inner) ? inner.map((item) => expect(item, field)) : "<array>";
    if (isObject(inner))
      return Object.keys(inner).length === 0
        ? "<object>"
        : Object.fromEntries(Object.entries(inner).map(([key, part]) => [key, expect(part, key)]));
    if (typeof inner === "string") return expectText(inner, field);
    if (inner === null) return "<null>";
    if (typeof inner === "number" && set.has(inner)) return secrets.replaceNumber(field, inner);
    return typeof inner === "boolean" && decisive.has(field) ? inner : `<${typeof inner}>`;
  };
  const expectText = (text: string, field: string): string => {
    const reference = known.reference(text);
    if (reference !== null) return reference;
    const standIn = secrets.stands(field, text);
    if (standIn !== undefined) return literal(standIn);
    if (fromIso(text) !== null && text.includes("T")) return "<time>";
    if (decisive.has(field) && (field === "code" ? /^[a-z_]+$/ : /^[a-z][\w.[\]]*$/i).test(text)) return text;
    return known.wasSent(field, text) && !/^\s*$/.test(text) ? literal(text) : formOf(text);
  };
  return expect(value, "");
}

/** Returns whether the items are records, which have ids. Other lists, such as findings, can differ in length each time. */
const isListOfRecords = (items: readonly unknown[]): boolean =>
  items.length > 0 &&
  items.length <= maxItems &&
  items.every((item) => isObject(item) && typeof (item as { id?: unknown }).id === "string");

/** Returns a pattern or a type for a text that differs each time. */
function formOf(text: string): string {
  if (/^\d+$/.test(text)) return `/\\d{${text.length}}/`;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return "/\\d{4}-\\d{2}-\\d{2}/";
  const prefix = idPrefixOf(text);
  return prefix === null ? "<string>" : `/${prefix}.+/`;
}

/** Escapes what would be read as a reference. */
export const escapeReferences = (text: string): string =>
  text.replace(/\$\{[^{}]+\}/g, (found) => `$${found}`);

/** Formats a text that is expected literally, even if it looks like a pattern or a type. */
function literal(text: string): string {
  const isSpecial = /^(?:\/.+\/|<[a-z]+>)$/s.test(text);
  const plain = isSpecial ? `/${text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}/` : text;
  return escapeReferences(plain);
}
