/** Calls a service over HTTP as one of its customers does: `/v1` alone, at a limited pace, and counted. */

import { isLiveKey } from "../contract/api-keys.js";
import { errorCodeOf } from "../contract/error-body.js";
import type { ErrorCode } from "../contract/errors.js";
import { describeFailedRequest } from "../contract/failed-request.js";
import { isObject, parseJson, valueAt } from "../contract/json.js";
import { type AnyOperation, methodOf, pathOf, type Route } from "../contract/operation.js";
import { isOutage, isSuccessStatus } from "../contract/reply-forms.js";
import { fillPath, formatTarget } from "../contract/route.js";
import { serviceOperations } from "../service/index.js";
import { minute, second, stopwatch } from "../time/time.js";
import { isAllowed } from "./groups.js";

interface ServiceOptions {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
  /** Token of the dashboard for the operations that need one. */
  readonly sessionToken?: string | null;
  /** Minimum time between the starts of two requests, in ms. */
  readonly paceMs: number;
  readonly maxCalls: number;
  /** How long a call may wait for its reply, in ms. Default: longer than the longest documented reply. */
  readonly timeoutMs?: number;
  sleep(ms: number): Promise<void>;
}

export interface ServiceRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, File | readonly File[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, in place of the body. */
  readonly rawBody?: string;
  /** Sent in place of the key; null sends none. A refusal of it is a reply like any other. */
  readonly key?: string | null;
  /** Called in place of the operation's route, to ask for a path or method that does not exist. */
  readonly route?: Route;
}

export interface ServiceReply {
  readonly operation: AnyOperation;
  readonly status: number;
  /** Media type without parameters. */
  readonly mediaType: string;
  /** The parsed JSON; undefined if the reply is not JSON. */
  readonly body: unknown;
}

/** A reply as it was received. */
export interface ReceivedReply extends ServiceReply {
  readonly headers: Headers;
}

/** Longer than the longest documented reply, which is a standard audit. */
const defaultTimeoutMs = 2 * minute;

/** Number of calls without an answer after which a run calls no more: each takes as long as the longest reply. */
const maxTimeouts = 3;

/** Maximum number of repetitions of a request that the service refuses because of the pace. */
const maxRepetitions = 3;
/** Longest wait before a repetition, in ms. */
const maxPauseMs = minute;

export function operationNamed(id: string): AnyOperation {
  const found = serviceOperations.find((operation) => operation.id === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
}

export class ServiceClient {
  readonly live: boolean;
  /** Successful JSON replies so far. */
  readonly accepted: ServiceReply[] = [];
  #calls = 0;
  #timeouts = 0;
  #sinceLast: (() => number) | null = null;

  constructor(readonly options: ServiceOptions) {
    this.live = isLiveKey(options.key);
  }

  /** Number of requests sent so far. */
  get calls(): number {
    return this.#calls;
  }

  /**
   * Calls an operation. Rejects with NotTestable if it may not be called, and with CouldNotCheck if the service does
   * not answer or has an outage.
   */
  async call(id: string, request: ServiceRequest = {}): Promise<ReceivedReply> {
    const operation = operationNamed(id);
    if (!isAllowed(id, this.live))
      throw new NotTestable(`${id} is not called with a live key; use a test key`);
    const reply = await this.#sendPatiently(operation, request);
    if (reply.status === 401 && operation.auth === "key" && request.key === undefined)
      throw new KeyRefused(`the service refuses the API key (${describeReply(reply)})`);
    if (isOutage(reply.status)) throw new CouldNotCheck(describeReply(reply));
    if (isSuccess(reply) && reply.body !== undefined && request.route === undefined)
      this.accepted.push(reply);
    return reply;
  }

  /** Repeats a request that comes too early for the service, once the pause that it asks for is over. */
  async #sendPatiently(operation: AnyOperation, request: ServiceRequest): Promise<ReceivedReply> {
    for (let repetition = 1; ; repetition++) {
      const reply = await this.#send(operation, request);
      const pauseMs = pauseOf(reply);
      if (pauseMs === null) return reply;
      if (repetition > maxRepetitions || pauseMs > maxPauseMs)
        throw new CouldNotCheck(`${describeReply(reply)}; pass a longer --pace`);
      await this.options.sleep(pauseMs);
    }
  }

  async #send(operation: AnyOperation, request: ServiceRequest): Promise<ReceivedReply> {
    const { baseUrl, maxCalls } = this.options;
    if (this.#calls >= maxCalls) throw new CouldNotCheck(`the limit of ${maxCalls} calls is reached`);
    if (this.#timeouts >= maxTimeouts)
      throw new CouldNotCheck(`the service left ${maxTimeouts} calls without an answer`);
    await this.#keepPace();
    this.#calls++;
    try {
      // The platform's `fetch` names a user agent and unpacks what a proxy compresses. A real service may need both.
      const response = await fetch(
        `${baseUrl}${targetOf(operation, request)}`,
        this.#init(operation, request),
      );
      const mediaType = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
      const text = await response.text();
      return {
        operation,
        status: response.status,
        headers: response.headers,
        mediaType,
        body: mediaType.includes("json") ? parseJson(text) : undefined,
      };
    } catch (error) {
      if ((error as Error).name === "TimeoutError") this.#timeouts++;
      throw new CouldNotCheck(`${operation.route}: no answer (${describeFailedRequest(error)})`);
    }
  }

  #init(operation: AnyOperation, request: ServiceRequest): RequestInit {
    const { sessionToken, timeoutMs = defaultTimeoutMs } = this.options;
    const { body, rawBody, files, key = this.options.key, route = operation.route } = request;
    const headers = new Headers(request.headers);
    if (operation.auth === "session") headers.set("Authorization", `Bearer ${sessionToken}`);
    else if (key !== null) headers.set("X-Service-Key", key);
    const init: RequestInit = {
      method: methodOf({ route }),
      headers,
      // Another host must not get the key.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    };
    if (rawBody !== undefined) {
      if (!headers.has("Content-Type")) headers.set("Content-Type", "application/json");
      return { ...init, body: rawBody };
    }
    if (files) return { ...init, body: formOf(body ?? {}, files) };
    if (body === undefined) return init;
    headers.set("Content-Type", "application/json");
    return { ...init, body: JSON.stringify(body) };
  }

  async #keepPace(): Promise<void> {
    const { paceMs, sleep } = this.options;
    const early = this.#sinceLast === null ? 0 : paceMs - this.#sinceLast();
    if (early > 0) await sleep(early);
    this.#sinceLast = stopwatch();
  }
}

/** Returns the pause, in ms, before a request that was refused because of the pace is repeated. Null for other replies. */
function pauseOf({ status, headers, body }: ReceivedReply): number | null {
  const code = errorCodeOf(body);
  if (status !== 429 || (code !== null && code !== ("rate_limited" satisfies ErrorCode))) return null;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * second : null;
}

function targetOf(operation: AnyOperation, { params = {}, query = {}, route }: ServiceRequest): string {
  const own = route === undefined ? operation : { route };
  const path = fillPath(pathOf(own), (name) => encodeURIComponent(params[name] ?? ""));
  return formatTarget(path, query);
}

function formOf(
  fields: Readonly<Record<string, unknown>>,
  files: NonNullable<ServiceRequest["files"]>,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  for (const [name, all] of Object.entries(files))
    for (const file of [all].flat() as readonly File[]) form.append(name, file);
  return form;
}

/** Describes a reply without any value that could be secret: `POST /v1/audits → 400 validation_error`. */
export function describeReply({ operation, status, body }: ServiceReply): string {
  if (status >= 300 && status < 400)
    return `${operation.route} → ${status}, a redirect, which is not followed`;
  const code = status >= 400 ? errorCodeOf(body) : null;
  return `${operation.route} → ${status}${code === null ? "" : ` ${code}`}`;
}

export const isSuccess = ({ status }: ServiceReply): boolean => isSuccessStatus(status);
export const isRefusal = ({ status }: ServiceReply): boolean => status >= 400 && status < 500;

/** Returns the value at a path such as `error.code` of the reply's body. */
export const valueIn = ({ body }: ServiceReply, ...keys: readonly string[]): unknown => valueAt(body, keys);

/** Returns the list at a path of the reply's body; an empty one if there is none. */
export function listIn(reply: ServiceReply, ...keys: readonly string[]): Record<string, unknown>[] {
  const list = valueIn(reply, ...keys);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The service did not answer, or answered with an outage or a limit. This is never drift. */
export class CouldNotCheck extends Error {}

/** The service cannot be asked in this run. The message says what would make it possible. */
export class NotTestable extends Error {}

/** The service refuses the API key, so nothing can be checked. */
export class KeyRefused extends Error {}
