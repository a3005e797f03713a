/** HTTP client of a sandbox, bound to one API key, its errors, and the stream of an account. */
import { EventSourceParserStream } from "eventsource-parser/stream";
import {
  controlPath,
  controlPrefix,
  controlRoutes,
  describeRemovedOperation,
} from "../contract/control-routes.js";
import { describeFailedRequest } from "../contract/failed-request.js";
import { parseJson } from "../contract/json.js";
import type { Binary, Stream } from "../contract/reply-forms.js";
import { fillPath, formatTarget, methodOf, type Route } from "../contract/route.js";
import type { Exported, ExportKind } from "../control/export.js";
import type { ControlOperations } from "../control/index.js";

/** Sends one request: the global `fetch`, or a transport inside the process. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Base URL of the sandbox, without a trailing slash. May be empty if `fetch` only needs the path. */
  baseUrl: string;
  /** API key of the account, sent as X-Service-Key. */
  key: string;
  /** Admin token of the control API, sent as X-Sandbox-Admin. Default: none. */
  adminToken?: string | null | undefined;
  /**
   * Default: the global `fetch`, looked up at each request. The client sends with nothing else, because it runs in browsers
   * too and tests replace the global one.
   */
  fetch?: Fetch | undefined;
  /** Set if the sandbox runs in this process, and can therefore reach ports of 127.0.0.1 that this process opens. */
  isInProcess?: true;
}

export interface RequestOptions extends RequestSettings {
  /** JSON body. A string is sent as it is. */
  readonly body?: object | string | undefined;
}

type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>;

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

  /** Headers that the control API requires. */
  get adminHeaders(): Record<string, string> {
    return this.adminToken === null ? {} : { "X-Sandbox-Admin": this.adminToken };
  }

  /** Sends a request with the account's key. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Service-Key", this.key);
    return (this.options.fetch ?? fetch)(this.baseUrl + path, { ...init, headers });
  }

  /**
   * Calls an operation of the control API. Rejects with a ControlError when it is refused, with NoSandbox when nothing
   * answers.
   *
   * @example client.call("moveRecord", { params: { id, move: "reject" }, body: { reason: "account_closed" } })
   */
  call<I extends CallId>(id: I, ...[input]: CallArguments<I>): Promise<JsonReply<CallReply<I>>> {
    const { body, headers, signal, ...target }: AnyInput = input ?? {};
    const init = { body, headers: { ...this.adminHeaders, ...headers }, signal };
    return this.request(methodOf({ route: routeOf(id) }), toPath(id, target), init);
  }

  /** Exports what happened to the account. */
  async export<K extends ExportKind>(
    kind: K,
    { query = {}, ...settings }: RequestSettings & { query?: ExportQuery } = {},
  ) {
    const reply = await this.call("exportAccount", { params: { kind }, query, ...settings });
    return reply as JsonReply<Exported[K]>;
  }

  /** Opens the stream of an operation of the control API. */
  async stream<I extends StreamId>(id: I, ...[input]: CallArguments<I>): Promise<ByteStream> {
    const { headers, signal, ...target }: AnyInput = input ?? {};
    const method = methodOf({ route: routeOf(id) });
    const path = toPath(id, target);
    const init = { method, headers: { ...this.adminHeaders, ...headers }, ...(signal ? { signal } : {}) };
    const response = await this.reach(path, init);
    if (response.ok && response.body) return response.body as ByteStream;
    throw toError(method, path, response.status, parseJson(await response.text()));
  }

  /** Calls the control API by method and path as a user writes them. `path` is relative to the prefix of the control API. */
  control<T>(method: string, path: string, body?: object): Promise<JsonReply<T>> {
    return this.request(method, controlPrefix + path, { body, headers: this.adminHeaders });
  }

  /**
   * Sends a request with the account's key and reads its JSON reply. Rejects with a ControlError when it is refused, with
   * NoSandbox when nothing answers.
   */
  async request<T>(
    method: string,
    path: string,
    { body, headers = {}, signal }: RequestOptions = {},
  ): Promise<JsonReply<T>> {
    const content =
      body === undefined
        ? { headers }
        : {
            headers: { "Content-Type": "application/json", ...headers },
            body: typeof body === "string" ? body : JSON.stringify(body),
          };
    const { ok, status, text } = await this.#exchange(path, {
      method,
      ...content,
      ...(signal ? { signal } : {}),
    });
    const value = parseJson(text);
    if (ok && value !== undefined) return { status, text, value: value as T };
    throw toError(method, path, status, value);
  }

  /** Sends a request with the account's key. Rejects with NoSandbox when nothing answers. */
  async reach(path: string, init: RequestInit): Promise<Response> {
    try {
      return await this.fetch(path, init);
    } catch (error) {
      throw new NoSandbox(this.baseUrl, error);
    }
  }

  async #exchange(path: string, init: RequestInit) {
    const response = await this.reach(path, init);
    try {
      return { ok: response.ok, status: response.status, text: await response.text() };
    } catch (error) {
      throw new NoSandbox(this.baseUrl, error);
    }
  }
}

/** Returns the route of an operation, whose id may not have been checked by a compiler. */
function routeOf(id: CallId | StreamId): Route {
  if (Object.hasOwn(controlRoutes, id)) return controlRoutes[id];
  throw new TypeError(describeRemovedOperation(id) ?? `The control API has no operation ${id}.`);
}

/** Returns the path of an operation, filled in with its parameters, and the query. */
const toPath = (id: CallId | StreamId, { params = {}, query = {} }: AnyInput): string =>
  formatTarget(
    fillPath(controlPath(id), (name) => encodeURIComponent(params[name] ?? "")),
    query,
  );

function toError(method: string, path: string, status: number, body: unknown): ControlError {
  const { code, message } = errorIn(body) ?? {
    code: "",
    message: `${method} ${path} was answered with ${status}, but not with the JSON of a sandbox.`,
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

/** Thrown when a call is refused. */
export class ControlError extends Error {
  constructor(
    /** HTTP status of the reply. */
    readonly status: number,
    /** Error code, such as `invalid_state`. Empty when the reply does not come from a sandbox. */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "ControlError";
  }
}

/** Thrown when nothing answers at the sandbox's URL. `cause` is the connection error. */
export class NoSandbox extends Error {
  /** Code or message of the connection's error, such as `ECONNREFUSED`. */
  readonly reason: string;

  constructor(url: string, cause: unknown) {
    const reason = describeFailedRequest(cause);
    super(`no sandbox answers at ${url} (${reason}): it was closed, or it runs elsewhere`, { cause });
    this.name = "NoSandbox";
    this.reason = reason;
  }
}

export interface StreamEvent {
  /** `activity`, `clock` or `gap`. */
  readonly event: string;
  readonly data: unknown;
  /** Continues the stream after this event. Empty for events of the clock. */
  readonly id: string;
}

export interface StreamOptions {
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
  /** Id of the last event that was read. Default: start with new events. */
  lastEventId?: string | undefined;
}

/** Yields what happens to the account until the sandbox stops or `signal` aborts. Rejects when it is refused or cannot be reached. */
export async function* readActivity(
  client: SandboxClient,
  { signal, lastEventId }: StreamOptions = {},
): AsyncGenerator<StreamEvent> {
  const headers: Record<string, string> = lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId };
  yield* readEvents(await client.stream("streamActivity", { headers, signal }), signal);
}

/** Yields the events of a stream until it ends or `signal` aborts. */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamEvent> {
  // Read one by one, since not every browser can iterate over a stream.
  const reader = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { event = "message", data, id = "" } = next.value;
      yield { event, data: JSON.parse(data), id };
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    reader.cancel().catch(() => {});
  }
}

type Id = keyof ControlOperations;

/** Operations that reply with a stream or a file. */
export type StreamId = {
  [I in Id]: ControlOperations[I]["reply"] extends Binary | Stream ? I : never;
}[Id];
/** Operations that reply with JSON. */
export type CallId = Exclude<Id, StreamId>;

/** An empty object, which fits a type if all its fields are optional. */
type Nothing = Record<never, never>;

/** Fields whose optional ones may also be undefined, which omits them. */
type Fields<T> = { [K in keyof T]: Nothing extends Pick<T, K> ? T[K] | undefined : T[K] };

/** A part of an input, which is optional if all its fields are. */
type Part<Name extends string, T> = [T] extends [never]
  ? unknown
  : Nothing extends T
    ? { readonly [N in Name]?: T | undefined }
    : { readonly [N in Name]: T };

/** A JSON body. A string is sent as it is. */
type Content<T> = [T] extends [never] ? unknown : { readonly body: T | string };

/** Input of an operation. */
export type CallInput<I extends Id> = Part<"params", ControlOperations[I]["params"]> &
  Part<"query", Fields<ControlOperations[I]["query"]>> &
  Content<ControlOperations[I]["body"]>;

/** Properties of a request beside the input of its operation. */
export interface RequestSettings {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Fields of an export. Each kind has some of them. */
export type ExportQuery = NonNullable<CallInput<"exportAccount">["query"]>;

/** Arguments after the id of an operation: its input, which is optional if all its parts are. */
export type CallArguments<I extends Id> =
  Nothing extends CallInput<I>
    ? [input?: CallInput<I> & RequestSettings]
    : [input: CallInput<I> & RequestSettings];

export type CallReply<I extends Id> = ControlOperations[I]["reply"];

/** An input without the types of its operation. */
export interface AnyInput extends RequestSettings {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object | string;
}
