/** The sandbox as the commands use it: answers are kept as the text that came, so that nothing is lost on the way. */
import { UsageError } from "./config.js";

/** What was asked for was refused, or failed: one line for stderr, exit code 1 unless another says more. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

export interface Answer<T> {
  readonly text: string;
  readonly value: T;
}

export class ControlApi {
  constructor(
    /** Without a slash at its end. */
    readonly url: string,
    readonly key: string,
    readonly adminToken: string | null,
  ) {}

  /** `path` without /_sandbox; a body that is a text is sent as it stands. */
  call<T>(method: string, path: string, body?: object | string): Promise<Answer<T>> {
    return this.service(method, `/_sandbox${path}`, body);
  }

  /** A call of the service, as its clients make it. */
  async service<T>(method: string, path: string, body?: object | string): Promise<Answer<T>> {
    const url = this.url + path;
    const { ok, status, text } = await this.#send(
      method,
      url,
      typeof body === "object" ? JSON.stringify(body) : body,
    );
    const value = parse(text);
    if (ok && value !== undefined) return { text, value: value as T };
    const error = errorIn(value);
    if (!error) {
      throw new UsageError(
        `what answers at ${this.url} is no sandbox (${method} ${url}: ${status}); ${whereItRuns}`,
      );
    }
    throw new CommandFailure(`${error.message} (${method} ${url}: ${status} ${error.code})`);
  }

  async #send(method: string, url: string, body: string | undefined) {
    const headers = {
      "X-Service-Key": this.key,
      ...(this.adminToken === null ? {} : { "X-Sandbox-Admin": this.adminToken }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    };
    try {
      const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
      return { ok: response.ok, status: response.status, text: await response.text() };
    } catch (error) {
      const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
      throw new UsageError(
        `no sandbox answers at ${this.url} (${code ?? message}); start one with ${startAt(this.url)}, or ${whereItRuns}`,
      );
    }
  }
}

const whereItRuns = "say where it runs with --url or STANDIN_URL";

/** The command that starts a sandbox where none answered, as far as that is this machine's. */
function startAt(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  const here = protocol === "http:" && (hostname === "127.0.0.1" || hostname === "localhost");
  return here && port !== "4010" ? `"standin start --port ${port || 80}"` : '"standin start"';
}

/** In whichever of the shapes that assumption errors.body can choose. */
function errorIn(value: unknown): { code: string; message: string } | null {
  const { error = value } = (value ?? {}) as { error?: unknown };
  const { code, message, detail } = (error ?? {}) as Record<string, unknown>;
  const said = message ?? detail;
  return typeof code === "string" && typeof said === "string" ? { code, message: said } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
