/** Secrets as they are shown: the journal keeps them in memory to match against, and never hands them out. */

const hidden = "[redacted]";
const secretHeaders = /^(?:x-service-key|authorization|cookie|x-sandbox-admin)$/i;
const secretFields = new Set([
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
]);

export function redactHeaders(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    headers[name] = secretHeaders.test(name) ? hidden : (raw[i + 1] as string);
  }
  return headers;
}

/** A JSON text with its secret fields hidden; a text that is not JSON is hidden whole. */
export function redactJson(text: string | null): string | null {
  if (text === null || text === "") return text;
  try {
    return JSON.stringify(JSON.parse(text), (key, value: unknown) => (isSecret(key, value) ? hidden : value));
  } catch {
    return hidden;
  }
}

/** An error has a `code` too, in words. */
const isSecret = (key: string, value: unknown): boolean =>
  secretFields.has(key) &&
  (typeof value === "number" || (typeof value === "string" && !(key === "code" && /^[a-z_]+$/.test(value))));

/** Shorter ones would be found in every word. */
const leastQuoted = 4;

/** A reply with its own secrets hidden, and those of its request, which refusals quote. */
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

/** Null: the request is not JSON, so nobody knows what in it is secret. */
function secretsIn(text: string | null): string[] | null {
  const secrets: string[] = [];
  try {
    JSON.parse(text || "{}", (key, value: unknown) => {
      if (isSecret(key, value) && String(value).length >= leastQuoted) secrets.push(String(value));
    });
    return secrets;
  } catch {
    return null;
  }
}
