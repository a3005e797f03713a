/** Replaces the API key or session token of a pact with those of the interaction's own account. */
import type { IncomingHttpHeaders } from "node:http";
import type { SandboxAccount } from "../../client/account/account.js";
import { isKey, isLiveKey, isRefusedKey } from "../../contract/api-keys.js";

const refusedToken = /invalid|expired/;

export const modeOfKey = (key: string): "test" | "live" => (isLiveKey(key) ? "live" : "test");

export const apiKeyIn = (headers: IncomingHttpHeaders): string => String(headers["x-service-key"] ?? "");

/**
 * Returns the headers to forward. Credentials that are meant to be refused are kept. A malformed key is one of them,
 * except if the consumer is known to expect that it is accepted.
 */
export async function withOwnCredentials(
  headers: IncomingHttpHeaders,
  account: SandboxAccount,
  mayBeRefused: boolean,
): Promise<IncomingHttpHeaders> {
  const { host: _host, ...others } = headers;
  const key = apiKeyIn(others);
  const isKept = key === "" || isRefusedKey(key) || (mayBeRefused && !isKey(key));
  if (!isKept) others["x-service-key"] = account.key;
  const token = /^Bearer (.+)$/i.exec(others.authorization ?? "")?.[1];
  if (token !== undefined && !refusedToken.test(token)) {
    const fresh = await account.call("createSessionToken");
    others.authorization = `Bearer ${fresh.token}`;
  }
  return others;
}
