/** Requests as commands. */
import type { RequestEntry } from "../../../../client/account/types.js";
import { baseUrl } from "../../state/session.js";

/** Headers that change what a request does. Others come from the client that sent it. */
const meaningful = /^(?:content-type|authorization|idempotency-key|x-sandbox-(?!account|admin).*)$/i;

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Formats a request of the journal as a curl command; what was redacted has to be filled in. */
export function formatCurl({ method, path, headers, body }: RequestEntry, key: string | null): string {
  const sent = Object.entries(headers).filter(([name]) => meaningful.test(name));
  if (!headers.Authorization) sent.unshift(["X-Service-Key", key ?? "YOUR_KEY"]);
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(baseUrl + path)}`,
    ...sent.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quote(body)}`] : []),
  ].join(" \\\n  ");
}
