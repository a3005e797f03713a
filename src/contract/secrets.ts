/**
 * Secrets: which fields, headers and texts contain one, and what replaces it. The journal keeps secrets in memory for
 * matching and never returns them. Whatever leaves the machine contains none, not even quoted in another text.
 */
import { minKeyLength, misplacedKeys } from "./api-keys.js";
import { headerPairs } from "./headers.js";
import { formatSpaced, isObject, parseJson } from "./json.js";

export const hidden = "[redacted]";
const secretHeaders: ReadonlySet<string> = new Set([
  "x-service-key",
  "x-sandbox-admin",
  "x-standin-forwarded",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  ...misplacedKeys.headers,
]);
const secretFields: ReadonlySet<string> = new Set([
  "bvn",
  "nin",
  "licence_number",
  "document_number",
  "code",
  "expected",
  "card",
  "card_number",
  "cvv",
  "token",
  "secret",
  "webhook_secret",
  // The codes in a message.
  "codes",
]);

/** Returns headers by name, with their secrets redacted. */
export function redactHeaders(raw: readonly string[]): Record<string, string> {
  const redact = (name: string, value: string) =>
    secretHeaders.has(name.toLowerCase()) ? hidden : value.replace(quotedSecret, hidden);
  // A header may be named `__proto__`, for which an assignment would not create a field.
  return Object.fromEntries([...headerPairs(raw)].map(([name, value]) => [name, redact(name, value)]));
}

/** Returns the address of a request without the request's own key, whose form only the client knows. */
export function withoutKey(address: string, key = ""): string {
  if (key.length < minKeyLength) return address;
  return [key, encodeURIComponent(key)].reduce((text, form) => text.replaceAll(form, hidden), address);
}

const secretParameters: ReadonlySet<string> = new Set(misplacedKeys.parameters);

/** API keys, and identity numbers with at most one digit too many. A phone number has a plus sign, a zero or 13 digits. */
const quotedSecret = /(?<=^|[^\w+%]|%(?!2B)[\dA-F]{2})(?:svc_[\w-]+|[1-9]\d{10,11})(?!\w)/gi;

/** Redacts the secrets in a path with its query. `hide` replaces each secret. Default `[redacted]`. */
export function redactAddress(address: string, hide = hidden): string {
  const [path = "", query] = address.split(/\?(.*)/s);
  const redact = (text: string) => text.replace(quotedSecret, hide);
  if (query === undefined) return redact(path);
  const fields = query.split("&").map((pair) => {
    const [name = "", value] = pair.split(/=(.*)/s);
    const isHidden = value && (secretParameters.has(name.toLowerCase()) || isSecret(name, value));
    return isHidden ? `${redact(name)}=${hide}` : redact(pair);
  });
  return `${redact(path)}?${fields.join("&")}`;
}

/** Redacts the secret fields of a JSON text. A text that is not JSON is redacted as a whole. */
export function redactJson(text: string | null): string | null {
  if (text === null || text === "") return text;
  try {
    return JSON.stringify(JSON.parse(text), (key, value: unknown) => (isSecret(key, value) ? hidden : value));
  } catch {
    return hidden;
  }
}

/** Returns whether a field is secret. The `code` of an error is a word and not secret. */
export const isSecret = (key: string, value: unknown): boolean =>
  secretFields.has(key) &&
  (typeof value === "number" || (typeof value === "string" && !(key === "code" && /^[a-z_]+$/.test(value))));

/** Minimum length of a secret that is looked for in other texts. Shorter ones occur in ordinary words. */
const minQuotedLength = 4;

/** Redacts the secrets of a reply, and the secrets of its request, which error messages quote. */
export function redactReply(reply: string | null, request: string | null): string | null {
  const quoted = secretsIn(request);
  const redacted = redactJson(reply);
  if (!redacted || redacted === hidden) return redacted;
  return JSON.stringify(JSON.parse(redacted), (key, value: unknown) => {
    if (typeof value !== "string") return value;
    if (quoted === null) return key === "message" ? hidden : value;
    return quoted.reduce((text, secret) => text.replaceAll(secret, hidden), value);
  });
}

/** Returns the secrets in a request, or null if the request is not JSON. */
function secretsIn(text: string | null): string[] | null {
  const secrets: string[] = [];
  try {
    JSON.parse(text || "{}", (key, value: unknown) => {
      if (isSecret(key, value) && String(value).length >= minQuotedLength) secrets.push(String(value));
    });
    return secrets;
  } catch {
    return null;
  }
}

/** Collects the secrets in a value, such as a code in a message. */
export function collectSecrets(value: unknown, found: Set<string>, key = ""): void {
  if (Array.isArray(value)) for (const item of value) collectSecrets(item, found, key);
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) collectSecrets(inner, found, nameWithin(key, name));
  else if (isHidden(key, value)) found.add(String(value));
  else if (typeof value === "string" && value.startsWith("{")) collectSecrets(parseJson(value), found);
}

/** Returns the name of a field within another one: a licence is an object with a number. */
const nameWithin = (outer: string, name: string): string =>
  outer === "licence" && name === "number" ? "licence_number" : name;

const isHidden = (key: string, value: unknown): boolean => value !== hidden && isSecret(key, value);

/** Masks a secret with a text of the same form, because schemas require that form. */
export const maskForm = (secret: string): string =>
  secret
    .replace(/\d/g, "0")
    .replace(/\p{Lu}/gu, "X")
    .replace(/\p{Ll}/gu, "x");

/** Matches whole words, each of which may be a secret. */
const words = /(?<![\w.-])\w+(?![\w-])/g;

/** Returns a function that removes the secrets from a text that quotes them. */
function createRedactor(
  secrets: ReadonlySet<string>,
  hide: (secret: string) => string,
): (text: string) => string {
  const quoted = [...secrets].filter((secret) => secret.length >= minQuotedLength && /\d/.test(secret));
  // Words are looked up one at a time, because an account may have more codes than an expression can have alternatives.
  const single = new Set(quoted.filter((secret) => /^\w+$/.test(secret)));
  const others = quoted
    .filter((secret) => !single.has(secret))
    .sort((a, b) => b.length - a.length)
    .map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const anywhere =
    others.length === 0 ? null : new RegExp(`(?<![\\w.-])(?:${others.join("|")})(?![\\w-])`, "g");
  return (text) => {
    const redacted = anywhere ? text.replace(anywhere, hide) : text;
    return redacted.replace(words, (word) => (single.has(word) ? hide(word) : word));
  };
}

/** Returns a function that removes these secrets from a value, and from every text that quotes one. */
export function redactor(
  secrets: ReadonlySet<string>,
  hide: (secret: string) => string = () => hidden,
): (value: unknown) => unknown {
  const redactText = createRedactor(secrets, hide);
  /** Redacts the body of an event, which is JSON in a text, and keeps the form of the text. */
  const redactPayload = (body: object, text: string): string =>
    text === JSON.stringify(body)
      ? JSON.stringify(redact(body, ""))
      : formatSpaced(redact(body, "") as object);
  const redact = (value: unknown, key: string): unknown => {
    if (typeof value === "string") {
      if (isHidden(key, value)) return hide(value);
      const body = value.startsWith("{") ? parseJson(value) : null;
      return isObject(body) ? redactPayload(body, value) : redactText(value);
    }
    if (Array.isArray(value)) return value.map((item) => redact(item, key));
    if (!isObject(value)) return isHidden(key, value) ? hide(String(value)) : value;
    const kept: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(value))
      if (redactText(name) === name) kept.push([name, redact(inner, nameWithin(key, name))]);
    return Object.fromEntries(kept);
  };
  return (value) => redact(value, "");
}
