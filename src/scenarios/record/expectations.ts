/** Turns recorded replies into expectations: of types, and of exact values where a request set them or they show an outcome. */
import { isObject } from "../../contract/json.js";
import { idPrefixOf } from "../../contract/schemas.js";
import { fromIso } from "../../time/time.js";
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
  request: unknown;
}

/** Returns what a scenario expects of a value. */
export function expectationOf(value: unknown, { known, secrets, request }: Expecting): unknown {
  const set = new Set([...leavesOf(request)].map(({ leaf }) => leaf));
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

/** Escapes text that would be read as a reference. */
export const escapeReferences = (text: string): string =>
  text.replace(/\$\{[^{}]+\}/g, (found) => `$${found}`);

/** Formats a text that is expected literally, even if it looks like a pattern or a type. */
function literal(text: string): string {
  const isSpecial = /^(?:\/.+\/|<[a-z]+>)$/s.test(text);
  const plain = isSpecial ? `/${text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}/` : text;
  return escapeReferences(plain);
}

export interface NamedStep {
  as?: string;
}

/** Names of results that every step can use, which no step may take. */
const taken = ["given", "key", "url", "now"];

export class KnownValues {
  readonly #places = new Map<string, { step: NamedStep; name: string; path: string }>();
  readonly #names = new Set(taken);
  /** Texts that requests have set, by field. */
  readonly #sent = new Map<string, Set<string>>();

  /** Remembers the texts of a request, which the sandbox did not make. */
  send(value: unknown): void {
    for (const { field, leaf } of leavesOf(value)) {
      if (typeof leaf !== "string") continue;
      const fields = this.#sent.get(leaf) ?? new Set();
      this.#sent.set(leaf, fields.add(field));
    }
  }

  /** Returns whether a request has set the field to this text. */
  wasSent(field: string, text: string): boolean {
    const fields = this.#sent.get(text);
    return fields !== undefined && (fields.has(field) || text.length > 5);
  }

  /** Returns whether the text is the same in a run: a request sets it, or an earlier result has it. */
  isRepeatable(text: string): boolean {
    return this.#sent.has(text) || this.#places.has(text);
  }

  /** Remembers the ids and other new values of a step's result. `name` is the name that the step gets once it is needed. */
  learn(step: NamedStep, name: string, result: unknown): void {
    for (const { leaf, path } of leavesOf(result))
      if (typeof leaf === "string" && isMade(leaf) && !this.#sent.has(leaf)) this.set(leaf, step, name, path);
  }

  /** Remembers one value, unless it is known. */
  set(text: string, step: NamedStep, name: string, path: string): void {
    if (!this.#places.has(text)) this.#places.set(text, { step, name, path });
  }

  /** Returns the reference to a value, and names the step that it comes from. Returns null if the value is not known. */
  reference(text: string): string | null {
    const place = this.#places.get(text);
    if (!place) return null;
    const { step, name, path } = place;
    step.as ??= this.#nameLike(name);
    return `\${${step.as}.${path}}`;
  }

  #nameLike(name: string): string {
    for (let count = 1; ; count++) {
      const candidate = count === 1 ? name : `${name}_${count}`;
      if (this.#names.has(candidate)) continue;
      this.#names.add(candidate);
      return candidate;
    }
  }
}

interface Leaf {
  field: string;
  path: string;
  leaf: unknown;
}

/** Yields the scalars of a value, each with its path and the name of the innermost field. */
export function* leavesOf(value: unknown, path = "", field = ""): Generator<Leaf> {
  if (!Array.isArray(value) && !isObject(value)) {
    yield { field, path, leaf: value };
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    const name = Array.isArray(value) ? field : key;
    // A reference cannot name a key with a dot or a bracket.
    if (!/[.{}]/.test(key)) yield* leavesOf(inner, path === "" ? key : `${path}.${key}`, name);
  }
}

/** Returns whether a text looks like an id, a code or a number that the service drew. One id in sixty has no digit. */
const isMade = (text: string): boolean =>
  text.length >= 4 &&
  text.length <= 200 &&
  (/\d/.test(text) || idPrefixOf(text) !== null) &&
  !/\s/.test(text) &&
  !/^\d{4}-\d\d-\d\d/.test(text);

/** Returns what an operation makes, for the name of its step: `createPayout` makes a `payout`. */
export function nameOfResult(operationId: string): string {
  const noun = /^[a-z]+(?=[A-Z])/.test(operationId) ? operationId.replace(/^[a-z]+/, "") : operationId;
  return noun.replace(/[A-Z]/g, (letter, at) => `${at === 0 ? "" : "_"}${letter.toLowerCase()}`);
}
