/** The secrets of an account, which nothing that leaves the machine may quote: they are redacted by the rules of the journal, and wherever else one is quoted. */
import { isObject } from "../../contract/json.js";
import { hidden, isSecret, secretFields } from "../../contract/redact.js";
import type { CallResult } from "../../world/activity/activity.js";
import type { TextTable } from "../../world/snapshot/write.js";
import { formatMember } from "../../world/store/text-pieces.js";
import { formatPayload } from "../../world/webhooks/sent-event.js";

/** Lists the records of tables, which can be iterated once, one at a time. */
export function* listTables(tables: Iterable<TextTable>): Generator<string, TextTables> {
  const listed: [string, Texts][] = [];
  for (const [name, records] of tables) {
    const texts: (readonly [string, string])[] = [];
    for (const record of records) {
      texts.push(record);
      yield "";
    }
    listed.push([name, texts]);
  }
  return listed;
}

export type Texts = readonly (readonly [key: string, text: string])[];
export type TextTables = readonly (readonly [name: string, records: Texts])[];

/** Collects the secrets of the state and of the calls, one record at a time. */
export function* secretsIn(
  tables: TextTables,
  calls: readonly CallResult[],
): Generator<string, ReadonlySet<string>> {
  const secrets = new Set<string>();
  for (const [, records] of tables)
    for (const [key, text] of records) {
      if (mayNameSecret(formatMember(key, text))) collectSecrets(JSON.parse(text), secrets, key);
      yield "";
    }
  for (const { body, reply } of calls) {
    collectSecrets([body, reply], secrets);
    yield "";
  }
  return secrets;
}

/** Minimum length of a secret that is looked for in texts. Shorter ones occur in ordinary words. */
const minLength = 4;

/** Collects the secrets in a value, such as a code in a message. */
export function collectSecrets(value: unknown, found: Set<string>, key = ""): void {
  if (Array.isArray(value)) for (const item of value) collectSecrets(item, found, key);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) collectSecrets(inner, found, nameWithin(key, name));
  else if (isHidden(key, value)) found.add(String(value));
  else if (typeof value === "string" && value.startsWith("{")) collectSecrets(parse(value), found);
}

const nameOfSecret = new RegExp(`"(?:${[...secretFields, "licence"].join("|")})":(?!null|true|false)`);

/** Returns whether JSON text may have a field that is secret. JSON in a text has escapes, which may hide one. */
export const mayNameSecret = (text: string): boolean => text.includes("\\") || nameOfSecret.test(text);

/** A licence is an object with a number. */
const nameWithin = (outer: string, name: string): string =>
  outer === "licence" && name === "number" ? "licence_number" : name;

const isHidden = (key: string, value: unknown): boolean => value !== hidden && isSecret(key, value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Masks a secret by one of the same form, where a schema asks for that form. */
export const maskForm = (secret: string): string =>
  secret
    .replace(/\d/g, "0")
    .replace(/\p{Lu}/gu, "X")
    .replace(/\p{Ll}/gu, "x");

/** A run of characters that is a secret if it is as long as one: nothing that a word may contain is next to it. */
const words = /(?<![\w.-])\w+(?![\w-])/g;

/** Returns a function that removes the secrets from a text that quotes them. */
function textRedactor(
  secrets: ReadonlySet<string>,
  hide: (secret: string) => string,
): (text: string) => string {
  const quoted = [...secrets].filter((secret) => secret.length >= minLength && /\d/.test(secret));
  // Looked up one word at a time: an account may have more codes than an expression can have alternatives.
  const single = new Set(quoted.filter((secret) => /^\w+$/.test(secret)));
  const others = quoted
    .filter((secret) => !single.has(secret))
    .sort((one, other) => other.length - one.length)
    .map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const anywhere =
    others.length === 0 ? null : new RegExp(`(?<![\\w.-])(?:${others.join("|")})(?![\\w-])`, "g");
  return (text) => {
    const redacted = anywhere ? text.replace(anywhere, hide) : text;
    return redacted.replace(words, (word) => (single.has(word) ? hide(word) : word));
  };
}

/** Maximum number of names of fields whose redaction is remembered. Ids are names too. */
const maxKnownNames = 10_000;

export interface Redactor {
  /** Removes the secrets from a value, and from every text that quotes one. */
  redact(value: unknown): unknown;
  /** Returns whether JSON text may hold a secret. Most records hold none, and stay as they are without being parsed. */
  mayHold(text: string): boolean;
}

/** Returns a redactor for these secrets. */
export function redactor(
  secrets: ReadonlySet<string>,
  hide: (secret: string) => string = () => hidden,
): Redactor {
  const redactText = textRedactor(secrets, hide);
  const plainNames = new Map<string, boolean>();
  const isPlain = (name: string): boolean => {
    const known = plainNames.get(name);
    if (known !== undefined) return known;
    const plain = redactText(name) === name;
    if (plainNames.size < maxKnownNames) plainNames.set(name, plain);
    return plain;
  };
  /** The body of an event is JSON in a text, whose form stays. */
  const redactPayload = (body: object, text: string): string =>
    formatPayload(redact(body, "") as object, text === JSON.stringify(body) ? "compact" : "spaced");
  const redact = (value: unknown, key: string): unknown => {
    if (typeof value === "string") {
      if (isHidden(key, value)) return hide(value);
      const body = value.startsWith("{") ? parse(value) : null;
      return isObject(body) ? redactPayload(body, value) : redactText(value);
    }
    if (Array.isArray(value)) return value.map((item) => redact(item, key));
    if (!isObject(value)) return isHidden(key, value) ? hide(String(value)) : value;
    const kept: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(value))
      if (isPlain(name)) kept.push([name, redact(inner, nameWithin(key, name))]);
    return Object.fromEntries(kept);
  };
  return {
    redact: (value) => redact(value, ""),
    mayHold: (text) => mayNameSecret(text) || redactText(text) !== text,
  };
}
