/** Calls of the control API for the account that is shown. */
import { SandboxClient } from "../../../client/client.js";
import { ControlError } from "../../../client/errors.js";
import type { Method } from "../../../contract/operation.js";
import { adminToken, askToSignIn, baseUrl, chosenAccount } from "../state/session.js";

/** Returns a client of the control API for the chosen account, with the token of this tab. */
export function controlClient(): SandboxClient {
  const account = chosenAccount.value;
  return new SandboxClient({
    baseUrl,
    key: "",
    adminToken: adminToken.value,
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      headers.delete("X-Service-Key");
      if (account) headers.set("X-Sandbox-Account", account);
      return fetch(url, { ...init, headers });
    },
  });
}

/** Makes a POST whose reply is lines of JSON, and yields them as they come. */
export async function* requestLines(path: string): AsyncGenerator<unknown> {
  const body = await controlClient().stream(path, { method: "POST" });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + next.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Calls the control API; `path` is relative to /_sandbox. Rejects with a ControlError or NoSandbox, whose messages are for people. */
export async function request<T>(method: Method, path: string, body?: object): Promise<T> {
  const token = adminToken.value;
  try {
    return (await controlClient().control<T>(method, path, { body })).value;
  } catch (error) {
    const isRefused = error instanceof ControlError && error.code === "admin_token_required";
    if (isRefused && askToSignIn(token)) return request(method, path, body);
    throw error;
  }
}

/** Returns a query string of the fields that have a value, question mark included. */
export function toQuery(fields: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
  return search.size > 0 ? `?${search}` : "";
}
