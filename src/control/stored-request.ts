/**
 * Decides which parts of a request may be written to the disk: words of the contract, such as names of fields and
 * values of enumerations, and values that the sandbox generated, such as ids. Other values may contain a key or
 * personal data.
 */
import { errorShape } from "../contract/error-body.js";
import { errors } from "../contract/errors.js";
import { isObject } from "../contract/json.js";
import type { AnyOperation } from "../contract/operation.js";
import { hidden, isSecret, redactHeaders } from "../contract/secrets.js";
import type { Assumptions } from "../service/assumptions.js";
import type { JournalEntry } from "../world/activity/request-journal.js";

const idForm = /^[a-z]{2,6}_[0-9a-hjkmnp-tv-z]{20}$/;
const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Largest number that may be stored. Numbers of identities, phones, accounts and cards are greater. */
const maxNumber = 1e8;
const personalNumbers = new Set(["latitude", "longitude", "account_number", "phone", "to"]);
const plainSegment = /^[a-z0-9_-]{0,40}$/i;
const keyOrLongNumber = /svc_|\d{9}/;

/** Returns a function that removes everything from a request that must not be written to the disk. */
export function requestRedactor(operations: readonly AnyOperation[], assumptions: Assumptions) {
  let words: ReadonlySet<string> | null = null;
  return (entry: JournalEntry): JournalEntry => {
    words ??= wordsOf(operations, assumptions);
    const given = new Redaction(words);
    const [path = "", query] = entry.path.split(/\?(.*)/s);
    return {
      ...entry,
      path: storablePath(path) + (query ? `?${given.query(query)}` : ""),
      headers: storableHeaders(entry.headers),
      body: given.json(entry.body),
      form: null,
      reply: new Redaction(words, timestampForm).json(entry.reply),
      reply_headers: storableHeaders(withoutGiven(entry.reply_headers)),
    };
  };
}

/** Returns the names and the fixed texts of the contract. */
function wordsOf(operations: readonly AnyOperation[], assumptions: Assumptions): ReadonlySet<string> {
  const words = new Set(Object.entries(errors).flatMap(([code, { type, message }]) => [code, type, message]));
  addWords(errorShape(assumptions).body, words);
  for (const { params, query, body, reply } of operations)
    for (const schema of [params, query, body, ...Object.values(reply)]) addWords(schema, words);
  return words;
}

/** Adds the names of properties and the values of enumerations and constants in a schema. */
function addWords(schema: unknown, words: Set<string>): void {
  if (Array.isArray(schema)) for (const part of schema) addWords(part, words);
  if (!isObject(schema)) return;
  const { properties = {}, enum: values = [], const: constant } = schema;
  const texts = [...Object.keys(properties as object), ...(values as unknown[]), constant];
  for (const text of texts) if (typeof text === "string") words.add(text);
  for (const part of Object.values(schema)) addWords(part, words);
}

const storablePath = (path: string): string =>
  path
    .split("/")
    .map((segment) => (plainSegment.test(segment) && !keyOrLongNumber.test(segment) ? segment : hidden))
    .join("/");

const storableHeaders = (raw: readonly string[]): string[] =>
  Object.entries(redactHeaders(raw)).flatMap(([name, value]) => [
    name,
    keyOrLongNumber.test(value) ? hidden : value,
  ]);

/**
 * Headers of a reply whose values the sandbox generates. Other headers may quote a request, such as the name of its
 * file.
 */
const ownHeaders = new Set(["content-type", "content-length", "date", "x-request-id", "retry-after"]);

const withoutGiven = (raw: readonly string[]): string[] =>
  raw.filter((_text, index) => ownHeaders.has((raw[index - (index % 2)] as string).toLowerCase()));

class Redaction {
  constructor(
    readonly words: ReadonlySet<string>,
    /** Pattern of other texts that may be stored. */
    readonly form = idForm,
  ) {}

  json(text: string | null): string | null {
    if (text === null || text === "") return text;
    try {
      return JSON.stringify(this.#value(JSON.parse(text)));
    } catch {
      return hidden;
    }
  }

  query(query: string): string {
    const fields = [...new URLSearchParams(query)];
    return fields.map(([name, value]) => `${this.#text(name)}=${this.#text(value)}`).join("&");
  }

  #value(value: unknown, name = ""): unknown {
    if (value === null || typeof value === "boolean") return value;
    if (isSecret(name, value)) return hidden;
    if (typeof value === "number")
      return Math.abs(value) < maxNumber && !personalNumbers.has(name) ? value : hidden;
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.#value(item, name));
    const fields = Object.entries(value as object);
    return Object.fromEntries(fields.map(([key, item]) => [this.#text(key), this.#value(item, key)]));
  }

  #text(text: string): string {
    return this.words.has(text) || idForm.test(text) || this.form.test(text) ? text : hidden;
  }
}
