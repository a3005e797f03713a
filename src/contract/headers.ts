/** HTTP headers: the ones of a single connection, changes by name, and the signature of webhooks. */

/** Headers that concern a single connection and are not forwarded (RFC 9110, section 7.6.1), in lower case. */
export const connectionHeaders: readonly string[] = [
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Returns whether a request with these headers, named in lower case, has a body. */
export const hasBody = (headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Returns the headers, names and values alternating, without the headers with these lower-case names. */
export function withoutHeaders(names: readonly string[], headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2)
    if (!names.includes(String(headers[at]).toLowerCase()))
      kept.push(headers[at] as string, headers[at + 1] as string);
  return kept;
}

/** Returns the first value of a header, named in lower case, among headers whose names and values alternate. */
export function headerIn(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((other, index) => index % 2 === 0 && other.toLowerCase() === name);
  return at === -1 ? undefined : headers[at + 1];
}

/** Yields the names and values of headers whose names and values alternate. */
export function* headerPairs(headers: readonly string[]): Generator<[name: string, value: string]> {
  for (let at = 0; at < headers.length; at += 2) yield [headers[at] as string, headers[at + 1] as string];
}

/** Changes of headers by name; a null value removes the header. */
export type HeaderChanges = Readonly<Record<string, string | null>>;

type Pair = readonly [name: string, value: string];

/** Returns headers with changes. Names are compared without regard to case. */
export function changeHeaders(headers: Iterable<Pair>, changes: HeaderChanges): Pair[] {
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  const kept = [...headers].filter(([name]) => !changed.has(name.toLowerCase()));
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return [...kept, ...added];
}

/** Returns a text for a header. Characters other than visible ASCII and spaces become question marks. */
export const toHeaderValue = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?");

/** Header with the signature of a webhook (interface: "Signature"). */
export const signatureHeader = "X-Service-Signature";
