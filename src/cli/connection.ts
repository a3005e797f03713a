/** Options, client and output of the commands that use a running sandbox. */

import { Readable } from "node:stream";
import {
  type ClientOptions,
  ControlError,
  type JsonReply,
  NoSandbox,
  type RequestOptions,
  SandboxClient,
} from "../client/client.js";
import { firstAnswer } from "../contract/http-answer.js";
import { redirectStatuses, statusesWithoutContent } from "../contract/reply-forms.js";
import { testKey } from "../server/settings.js";
import { CommandError, UsageError } from "./errors.js";
import { type FlagsOf, flagTable } from "./flags.js";
import { type JsonFlag, jsonOption } from "./output/print.js";

export const defaultUrl = "http://127.0.0.1:4010";

export const adminTokenOption = [
  "--admin-token <token>",
  "admin token of the sandbox (default STANDIN_ADMIN_TOKEN)",
] as const;

/** The options that name a running sandbox and an account of it. */
export const connectionOptions = flagTable("Sandbox and account:", [
  ["--url <url>", `URL of the running sandbox (default STANDIN_URL, else ${defaultUrl})`],
  ["--key <key>", `API key of the account (default SERVICE_KEY, else ${testKey})`],
  adminTokenOption,
]);

export type ConnectionFlags = JsonFlag & FlagsOf<typeof connectionOptions>;

/** Returns the options of commands that use a running sandbox, which follow the command's own in --help. `json`: what --json does. */
export const controlOptions = (json = "print the response of the control API as one JSON document") =>
  [connectionOptions, jsonOption(json, "Output:")] as const;

/** Reads base URL, key and admin token from flags and environment. Throws a UsageError if one is invalid. */
export const connectionOf = ({ url, key, adminToken }: ConnectionFlags) => ({
  baseUrl: baseUrlOf(url),
  key: headerValue(key, "--key", "SERVICE_KEY", testKey),
  adminToken: headerValue(adminToken, "--admin-token", "STANDIN_ADMIN_TOKEN", "") || null,
});

export const connect = (flags: ConnectionFlags): CommandClient => new CommandClient(connectionOf(flags));

export function baseUrlOf(flag: string | undefined, option = "--url"): string {
  const given = flag ?? (process.env.STANDIN_URL || defaultUrl);
  if (URL.canParse(given) && /^https?:\/\/[^?#@]+$/.test(given)) return given.replace(/\/+$/, "");
  const source = flag === undefined ? "STANDIN_URL" : option;
  throw new UsageError(`${source} must be an http or https URL such as ${defaultUrl}; got ${given}`);
}

function headerValue(flag: string | undefined, option: string, variable: string, byDefault: string): string {
  const value = flag ?? (process.env[variable] || byDefault);
  if (/^[\x21-\x7e]*$/.test(value)) return value;
  const source = flag === undefined ? variable : option;
  throw new UsageError(`${source} must consist of printable ASCII characters without spaces`);
}

export class CommandClient extends SandboxClient {
  constructor(options: ClientOptions) {
    super({ fetch: httpFetch, ...options });
  }

  /** Rejects with a CommandError if the call is refused, and with a UsageError if no sandbox answers. */
  override async request<T>(method: string, path: string, options?: RequestOptions): Promise<JsonReply<T>> {
    try {
      return await super.request<T>(method, path, options);
    } catch (error) {
      const { baseUrl } = this;
      if (!(error instanceof ControlError)) throw this.#explain(error);
      const request = `${method} ${baseUrl}${path}: ${error.status}`;
      if (error.code !== "") throw new CommandError(`${error.message} (${request} ${error.code})`);
      throw new UsageError(`the server at ${baseUrl} is not a sandbox (${request}); ${urlHint}`);
    }
  }

  /** Rejects with a UsageError if no sandbox answers. */
  override reach(path: string, init: RequestInit): Promise<Response> {
    return super.reach(path, init).catch((error: unknown) => {
      throw this.#explain(error);
    });
  }

  #explain(error: unknown): unknown {
    const { baseUrl } = this;
    if (!(error instanceof NoSandbox)) return error;
    const start = startCommand(baseUrl);
    return new UsageError(
      `no sandbox answers at ${baseUrl} (${error.reason}); start one with ${start}, or ${urlHint}`,
    );
  }
}

const urlHint = "set the URL of the sandbox with --url or STANDIN_URL";

/** Returns the command that starts a sandbox at the URL if it is on this machine. */
function startCommand(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  const isLocal = protocol === "http:" && (hostname === "127.0.0.1" || hostname === "localhost");
  return isLocal && port !== "4010" ? `"standin start --port ${port || 80}"` : '"standin start"';
}

/**
 * Sends a request over node:http, since the first `fetch` of a process takes about 50 ms of CPU time, and a whole command
 * 120. Its body is read before it is sent; the body of the reply is a stream. Follows redirects.
 */
export async function httpFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const { request } = await (url.startsWith("https:") ? import("node:https") : import("node:http"));
  const message = new Request(url, init);
  const body = message.body && Buffer.from(await message.arrayBuffer());
  const sent = request(url, {
    method: message.method,
    headers: { ...Object.fromEntries(message.headers), ...(body ? { "content-length": body.length } : {}) },
    // Node does not abort the signal of a message that nothing references any more.
    signal: init.signal ?? undefined,
  });
  sent.end(body);
  const reply = await firstAnswer(sent);
  const status = reply.statusCode as number;
  if (redirectStatuses.includes(status) && reply.headers.location !== undefined) {
    reply.resume();
    return fetch(url, init);
  }
  const content = Readable.toWeb(reply) as ReadableStream;
  return new Response(statusesWithoutContent.includes(status) ? null : content, {
    status,
    headers: Object.entries(reply.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  });
}
