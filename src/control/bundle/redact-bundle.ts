/** Redaction of a bundle, which leaves the machine: by the rules of the journal, and wherever else a secret is quoted. */
import { isObject } from "../../contract/json.js";
import { hidden, isSecret } from "../../contract/redact.js";
import { formatPayload } from "../../world/webhooks/sent-event.js";

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

/** Returns a function that removes the secrets from a value, and from every text that quotes one. */
export function redactor(
  secrets: ReadonlySet<string>,
  hide: (secret: string) => string = () => hidden,
): (value: unknown) => unknown {
  const redactText = textRedactor(secrets, hide);
  /** The body of an event is JSON in a text, whose form stays. */
  const redactPayload = (body: object, text: string): string =>
    formatPayload(redact(body, "") as object, text === JSON.stringify(body) ? "compact" : "spaced");
  const redact = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => redact(item, key));
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => redactText(name) === name)
          .map(([name, inner]) => [name, redact(inner, nameWithin(key, name))]),
      );
    if (isHidden(key, value)) return hide(String(value));
    if (typeof value !== "string") return value;
    const body = value.startsWith("{") ? parse(value) : null;
    return isObject(body) ? redactPayload(body, value) : redactText(value);
  };
  return (value) => redact(value, "");
}
