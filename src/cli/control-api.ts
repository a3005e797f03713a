/** The sandbox as the commands use it. Replies keep their text, so that `--json` prints exactly what was received. */
import { type JsonReply, SandboxClient } from "../client/client.js";
import { ControlError, NoSandbox } from "../client/errors.js";
import { UsageError } from "./config.js";

/** A request that was refused or failed: printed as one line on stderr. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

export type Answer<T> = Pick<JsonReply<T>, "text" | "value">;

export class ControlApi {
  readonly #client: SandboxClient;

  constructor(
    /** Without a trailing slash. */
    readonly url: string,
    readonly key: string,
    adminToken: string | null,
  ) {
    this.#client = new SandboxClient({ baseUrl: url, key, adminToken });
  }

  /** Calls the control API. `path` is relative to /_sandbox; a string body is sent as it is. */
  call<T>(method: string, path: string, body?: object | string): Promise<Answer<T>> {
    return this.#explain(
      `${method} ${this.url}/_sandbox${path}`,
      this.#client.control(method, path, { body }),
    );
  }

  /** Calls the service, as its clients do. */
  service<T>(method: string, path: string, body?: object | string): Promise<Answer<T>> {
    return this.#explain(`${method} ${this.url}${path}`, this.#client.call(method, path, { body }));
  }

  async #explain<T>(request: string, reply: Promise<Answer<T>>): Promise<Answer<T>> {
    try {
      return await reply;
    } catch (error) {
      if (error instanceof NoSandbox) {
        const start = startCommand(this.url);
        throw new UsageError(
          `no sandbox answers at ${this.url} (${error.reason}); start one with ${start}, or ${urlHint}`,
        );
      }
      if (!(error instanceof ControlError)) throw error;
      const { message, status, code } = error;
      if (code !== "") throw new CommandFailure(`${message} (${request}: ${status} ${code})`);
      throw new UsageError(`what answers at ${this.url} is no sandbox (${request}: ${status}); ${urlHint}`);
    }
  }
}

const urlHint = "say where it runs with --url or STANDIN_URL";

/** Returns the command that starts a sandbox at the URL if it is on this machine. */
function startCommand(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  const isLocal = protocol === "http:" && (hostname === "127.0.0.1" || hostname === "localhost");
  return isLocal && port !== "4010" ? `"standin start --port ${port || 80}"` : '"standin start"';
}
