/** HTTP client of a running sandbox that reports failures as errors of commands. */
import { type ClientOptions, type JsonReply, type RequestOptions, SandboxClient } from "../client/client.js";
import { ControlError, NoSandbox } from "../client/errors.js";
import { CommandError, UsageError } from "./errors.js";
import { httpFetch } from "./http-fetch.js";

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
