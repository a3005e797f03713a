/** A sandbox for the tests of one file, and a fresh account for each test. Every reply is held against its schema. */
import { afterAll, beforeAll } from "vitest";
import { type Sandbox, type SandboxAccount, type SandboxOptions, startSandbox } from "../../src/index.js";

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a reply is whatever the server said; the assertions judge it
  body: any;
}

/** Starts a sandbox before the file's tests and stops it after them; what it warned of is in `warnings`. */
export function useSandbox(options: SandboxOptions = {}) {
  let sandbox: Sandbox;
  const warnings: string[] = [];
  beforeAll(async () => {
    sandbox = await startSandbox({
      validateReplies: true,
      warn: (message) => warnings.push(message),
      ...options,
    });
  });
  afterAll(() => sandbox.close());
  return {
    warnings,
    get url() {
      return sandbox.url;
    },
    account: (input?: { key?: string; mode?: "test" | "live" }): SandboxAccount => sandbox.account(input),
  };
}

/** A JSON call of the service with the account's key. */
export async function call(
  account: SandboxAccount,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await account.fetch(path, {
    method,
    headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return read(response);
}

export async function read(response: Response): Promise<Reply> {
  const text = await response.text();
  const json = response.headers.get("content-type")?.includes("json");
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

export const post = (
  account: SandboxAccount,
  path: string,
  body: unknown,
  headers?: Record<string, string>,
) => call(account, "POST", path, body, headers);
