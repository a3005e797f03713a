/** Replaces the API key or session token of a pact with those of the interaction's own account. */
import type { IncomingHttpHeaders } from "node:http";
import type { SandboxAccount } from "../../library/account.js";

/** Keys that the sandbox refuses. */
const refusedKey = /_(?:invalid|revoked)$/;
const keyForm = /^[\x21-\x7e]{8,128}$/;

const refusedToken = /invalid|expired/;

export const modeOf = (key: string): "test" | "live" => (/(^|[_-])live([_-]|$)/.test(key) ? "live" : "test");

export const apiKeyIn = (headers: IncomingHttpHeaders): string => String(headers["x-service-key"] ?? "");

/**
 * Returns the headers to forward. Credentials that are meant to be refused are kept; a malformed key counts as such only
 * if the consumer expects a 401.
 */
export async function withOwnCredentials(
  headers: IncomingHttpHeaders,
  account: SandboxAccount,
  expectsRefusal: boolean,
): Promise<IncomingHttpHeaders> {
  const { host: _host, ...others } = headers;
  const key = apiKeyIn(others);
  const isRefused = refusedKey.test(key) || (expectsRefusal && !keyForm.test(key));
  if (key !== "" && !isRefused) others["x-service-key"] = account.key;
  const token = /^Bearer (.+)$/i.exec(others.authorization ?? "")?.[1];
  if (token !== undefined && !refusedToken.test(token)) {
    const fresh = await account.control<{ token: string }>("POST", "/session-token");
    others.authorization = `Bearer ${fresh.token}`;
  }
  return others;
}
