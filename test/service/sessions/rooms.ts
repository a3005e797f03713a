/** Requests tokens and reads their sessions. */
import type { SandboxAccount } from "../../../src/index.js";
import { call, post, type Reply } from "../../support/sandbox.js";

export const ada = { identity: "ada", role: "publisher" };
export const chidi = { identity: "chidi", role: "viewer" };

export const askToken = (
  account: SandboxAccount,
  body: object = ada,
  type = "video",
  headers?: Record<string, string>,
): Promise<Reply> => post(account, `/v1/streaming/${type}/token`, body, headers);

/** Requests a token, expects success and returns the body. */
export async function token(
  account: SandboxAccount,
  body: object = ada,
  type = "video",
): Promise<Reply["body"]> {
  const reply = await askToken(account, body, type);
  if (reply.status !== 201) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}

export const list = async (account: SandboxAccount): Promise<Reply["body"]> =>
  (await call(account, "GET", "/v1/streaming/sessions")).body;

/** Returns the session from the list. */
export const listed = async (account: SandboxAccount, id: string): Promise<Reply["body"]> =>
  (await list(account)).find((session: { id: string }) => session.id === id);

export const end = (account: SandboxAccount, id: string, input?: Record<string, unknown>) =>
  account.records.move(id, "end", input);
