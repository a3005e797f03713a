/** The dashboard's two calls with a session token, and simulated proofs. */
import type { SandboxAccount } from "../../../src/index.js";
import { fetchFrom, type Reply, read } from "../../support/sandbox.js";

export const sessionToken = async (account: SandboxAccount): Promise<string> =>
  (await account.control<{ token: string }>("POST", "/session-token")).token;

async function ask(account: SandboxAccount, path: string, body?: object, more: object = {}): Promise<Reply> {
  const headers = { Authorization: `Bearer ${await sessionToken(account)}`, ...more };
  const json = { headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return read(
    await fetchFrom(account, `/v1/domains/verify${path}`, {
      method: "POST",
      ...(body === undefined ? { headers } : json),
    }),
  );
}

export const start = (account: SandboxAccount, domain: unknown, headers?: object): Promise<Reply> =>
  ask(account, "/start", { domain }, headers);

export const check = (account: SandboxAccount, id: string, headers?: object): Promise<Reply> =>
  ask(account, `/${id}/check`, undefined, headers);

/** Starts a verification, expects success and returns the body. */
export async function started(account: SandboxAccount, domain = "shop.example"): Promise<Reply["body"]> {
  const { status, body } = await start(account, domain);
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

export const checked = async (account: SandboxAccount, id: string): Promise<Reply["body"]> =>
  (await check(account, id)).body;

export const publish = (
  account: SandboxAccount,
  method: string,
  value?: string,
  domain = "shop.example",
): Promise<Record<string, string>> =>
  account.control("POST", `/domains/${domain}/proof`, value === undefined ? { method } : { method, value });

export const nothing = { verified: false, method: null };
