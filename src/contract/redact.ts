/** Redaction of secrets. The journal keeps them in memory for matching and never returns them. */
import { minKeyLength, misplacedKeys } from "./api-keys.js";

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
export const secretFields: ReadonlySet<string> = new Set([
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

export function redactHeaders(raw: readonly string[]): Record<string, string> {
  const headers: [name: string, value: string][] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    const value = raw[i + 1] as string;
    headers.push([
      name,
      secretHeaders.has(name.toLowerCase()) ? hidden : value.replace(quotedSecret, hidden),
    ]);
  }
  // A header may be called `__proto__`, which an assignment would not make a field.
  return Object.fromEntries(headers);
}

/** Returns the address of a request without the request's own key, whose form only the client knows. */
export function withoutKey(address: string, key = ""): string {
  if (key.length < minKeyLength) return address;
  return [key, encodeURIComponent(key)].reduce((text, form) => text.replaceAll(form, hidden), address);
}

const secretParameters: ReadonlySet<string> = new Set(misplacedKeys.parameters);

/** API keys, and identity numbers with at most one digit too many. A phone number has a plus sign, a zero or 13 digits. */
const quotedSecret = /(?<=^|[^\w+%]|%(?!2B)[\dA-F]{2})(?:svc_[\w-]+|[1-9]\d{10,11})(?!\w)/gi;

/** Redacts the secrets in a path with its query. `hide` is what stands for one. Default `[redacted]`. */
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

/** An error also has a `code`, but it is a word and not secret. */
export const isSecret = (key: string, value: unknown): boolean =>
  secretFields.has(key) &&
  (typeof value === "number" || (typeof value === "string" && !(key === "code" && /^[a-z_]+$/.test(value))));

/** Minimum length of a secret that is searched for in replies; shorter ones occur in ordinary words. */
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
