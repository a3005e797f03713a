/** Calls the control API for the account that is shown. */
import {
  type CallArguments,
  type CallId,
  type CallReply,
  ControlError,
  SandboxClient,
} from "../../../client/client.js";
import { adminToken, askToSignIn, baseUrl, chosenAccount } from "../state/session.js";

/** Returns a client of the control API for an account, by default the chosen account, with the token of this tab. */
export function controlClient(account = chosenAccount.value): SandboxClient {
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

/**
 * Calls an operation of the control API. Rejects with a ControlError or NoSandbox, whose messages are for people.
 *
 * @example await call("retryDelivery", { params: { id } })
 */
export async function call<I extends CallId>(id: I, ...input: CallArguments<I>): Promise<CallReply<I>> {
  const token = adminToken.value;
  try {
    return (await controlClient().call(id, ...input)).value;
  } catch (error) {
    const isRefused = error instanceof ControlError && error.code === "admin_token_required";
    if (isRefused && askToSignIn(token)) return call(id, ...input);
    throw error;
  }
}

/** Returns the only item of a list that was filtered by an id. Rejects if there is none. */
export async function onlyItem<T>(list: Promise<{ items: T[] }>): Promise<T> {
  const [item] = (await list).items;
  if (item) return item;
  throw new Error("This account has nothing with this id: the id is wrong, or it is no longer kept.");
}

/** Returns the id of the account of an API key. Rejects if the sandbox does not know the key. */
export async function accountOfKey(key: string): Promise<string> {
  const client = new SandboxClient({ baseUrl, key, adminToken: adminToken.value, fetch });
  return (await client.call("getAccount")).value.id;
}

/** Runs a scenario. Yields the lines of its reply, which are JSON, as they arrive. */
export async function* runStoredScenario(name: string): AsyncGenerator<unknown> {
  const body = await controlClient().stream("runScenario", { params: { name } });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + next.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}
