/** Whatever key or token a consumer wrote into its pact, the interaction's own account is meant. */
import type { IncomingHttpHeaders } from "node:http";
import type { SandboxAccount } from "../../library/account.js";

/** Keys that the sandbox refuses; one that is no key at all is replaced too, unless the consumer expects that it is refused. */
const refusedKey = /_(?:invalid|revoked)$/;
const keyForm = /^[\x21-\x7e]{8,128}$/;

const refusedToken = /invalid|expired/;

export const modeOf = (key: string): "test" | "live" => (/(^|[_-])live([_-]|$)/.test(key) ? "live" : "test");

export const keyIn = (headers: IncomingHttpHeaders): string => String(headers["x-service-key"] ?? "");

/** The headers as they go on to the sandbox. */
export async function ownHeaders(
  headers: IncomingHttpHeaders,
  account: SandboxAccount,
  expectsRefusal: boolean,
): Promise<IncomingHttpHeaders> {
  const { host: _host, ...others } = headers;
  const key = keyIn(others);
  const isRefused = refusedKey.test(key) || (expectsRefusal && !keyForm.test(key));
  if (key !== "" && !isRefused) others["x-service-key"] = account.key;
  const token = /^Bearer (.+)$/i.exec(others.authorization ?? "")?.[1];
  if (token !== undefined && !refusedToken.test(token)) {
    const fresh = await account.control<{ token: string }>("POST", "/session-token");
    others.authorization = `Bearer ${fresh.token}`;
  }
  return others;
}
