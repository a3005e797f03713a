/** Values that the sandbox made during a recording, such as ids: later steps refer to the step that got them. */
import { isObject } from "../../contract/json.js";
import { idPrefixOf } from "../../contract/schemas.js";

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

  /** Returns whether a run has this text as well: a request sets it, or an earlier result has it. */
  isRepeatable(text: string): boolean {
    return this.#sent.has(text) || this.#places.has(text);
  }

  /** Remembers the ids and other new values of a step's result. `name` is what the step is called once it is needed. */
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
