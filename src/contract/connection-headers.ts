/** Headers that concern one connection alone and are not forwarded (RFC 9110, section 7.6.1). */

/** Names in lower case. */
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

/** Returns the headers, names and values alternating, without those of these lower-case names. */
export function withoutHeaders(names: readonly string[], headers: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2)
    if (!names.includes(String(headers[at]).toLowerCase()))
      kept.push(headers[at] as string, headers[at + 1] as string);
  return kept;
}
