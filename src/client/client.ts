/** HTTP client of a sandbox, bound to one API key. */
import { ControlError, NoSandbox } from "./errors.js";

/** Sends one request: the global `fetch`, or a transport inside the process. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Base URL of the sandbox, without a trailing slash. May be empty where `fetch` needs the path alone. */
  baseUrl: string;
  /** API key of the account, sent as X-Service-Key. */
  key: string;
  /** Admin token of the control API, sent as X-Sandbox-Admin. Default: none. */
  adminToken?: string | null | undefined;
  /** Default: the global `fetch`, looked up at each request. */
  fetch?: Fetch | undefined;
  /** Whether the sandbox runs in this process, so that it reaches each port of 127.0.0.1 that this process opens. */
  isInProcess?: true;
}

export interface CallOptions {
  /** JSON body. A string is sent as it is. */
  body?: object | string | undefined;
  headers?: Readonly<Record<string, string>>;
}

export interface JsonReply<T> {
  readonly status: number;
  /** The body as it was received. */
  readonly text: string;
  /** The body, parsed. */
  readonly value: T;
}

export class SandboxClient {
  readonly key: string;
  readonly adminToken: string | null;

  constructor(readonly options: ClientOptions) {
    this.key = options.key;
    this.adminToken = options.adminToken ?? null;
  }

  /** Base URL of the sandbox. Changes when a sandbox in this process begins to listen. */
  get baseUrl(): string {
    return this.options.baseUrl;
  }

  /** Sends a request with the account's key. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Service-Key", this.key);
    return (this.options.fetch ?? fetch)(this.baseUrl + path, { ...init, headers });
  }

  /**
   * Calls an operation and reads its JSON reply. Rejects with a ControlError when it is refused, with NoSandbox when
   * nothing answers.
   */
  async call<T>(
    method: string,
    path: string,
    { body, headers = {} }: CallOptions = {},
  ): Promise<JsonReply<T>> {
    const init =
      body === undefined
        ? { method, headers }
        : {
            method,
            headers: { "Content-Type": "application/json", ...headers },
            body: typeof body === "string" ? body : JSON.stringify(body),
          };
    const { ok, status, text } = await this.#exchange(path, init);
    const value = parse(text);
    if (ok && value !== undefined) return { status, text, value: value as T };
    throw toError(method, path, status, value);
  }

  /** Calls an operation of the control API. `path` is relative to /_sandbox. */
  control<T>(method: string, path: string, { body, headers = {} }: CallOptions = {}): Promise<JsonReply<T>> {
    const admin = this.adminToken === null ? {} : { "X-Sandbox-Admin": this.adminToken };
    return this.call(method, `/_sandbox${path}`, { body, headers: { ...admin, ...headers } });
  }

  /** Opens a stream of the control API. `path` is relative to /_sandbox. */
  async stream(path: string, init: RequestInit): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const headers = new Headers(init.headers);
    if (this.adminToken !== null) headers.set("X-Sandbox-Admin", this.adminToken);
    const whole = `/_sandbox${path}`;
    const response = await this.#reach(whole, { ...init, headers });
    if (response.ok && response.body) return response.body as ReadableStream<Uint8Array<ArrayBuffer>>;
    throw toError("GET", whole, response.status, parse(await response.text()));
  }

  async #exchange(path: string, init: RequestInit) {
    const response = await this.#reach(path, init);
    try {
      return { ok: response.ok, status: response.status, text: await response.text() };
    } catch (error) {
      throw new NoSandbox(this.baseUrl, error);
    }
  }

  async #reach(path: string, init: RequestInit): Promise<Response> {
    try {
      return await this.fetch(path, init);
    } catch (error) {
      throw new NoSandbox(this.baseUrl, error);
    }
  }
}

function toError(method: string, path: string, status: number, body: unknown): ControlError {
  const { code, message } = errorIn(body) ?? {
    code: "",
    message: `${method} ${path} was answered with ${status} and without the JSON of a sandbox.`,
  };
  return new ControlError(status, code, message);
}

/** Returns the code and message of an error body, in any of the shapes of assumption errors.body. */
export function errorIn(value: unknown): { code: string; message: string } | null {
  const { error = value } = (value ?? {}) as { error?: unknown };
  const { code, message, detail } = (error ?? {}) as Record<string, unknown>;
  const text = message ?? detail;
  return typeof code === "string" && typeof text === "string" ? { code, message: text } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
