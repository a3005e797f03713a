/** Sends webhook attempts to their receivers: over HTTP, or through a relay to a tester's listener. */

import { lookup as lookUp } from "node:dns";
import {
  Agent,
  type AgentOptions,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  maxHeaderSize,
} from "node:http";
import type { LookupFunction, Socket } from "node:net";
import { minute, second, timer } from "../../time/time.js";
import type { DeliveryAttempt } from "./delivery.js";
import { type PendingRelay, type RelayHub, relayNameOf } from "./relay.js";

/** Default time limit for a whole answer, in ms of real time. */
export const attemptTimeout = 10 * second;
export const timedOut = `no answer within ${attemptTimeout / second} s`;
/** Error of an attempt whose answer had begun but not ended at the time limit. */
export const unended = `the answer did not end within ${attemptTimeout / second} s`;

/** Returns whether an attempt took the whole time limit. */
export const isTimeout = (error: string | null): boolean => error === timedOut || error === unended;

export class TimedOut extends Error {
  constructor(message = timedOut) {
    super(message);
  }
}

/** Returns an error of node:http as the delivery log shows it: an answer that cannot be used is described in words. */
export function toAnswerError(error: NodeJS.ErrnoException, hasBegun: boolean): Error {
  const { code = "", message } = error;
  if (code === "HPE_HEADER_OVERFLOW")
    return new Error(`the head of the answer has more than ${maxHeaderSize} bytes`);
  if (code.startsWith("HPE_"))
    return new Error(`the answer is not readable as HTTP: ${message.replace(/^Parse Error: /, "")}`);
  if (code !== "ECONNRESET") return error;
  return new Error(
    hasBegun
      ? "the connection was closed before the end of the answer"
      : "the connection was closed without an answer",
  );
}

/** Maximum size in bytes of the part of an answer's body that is kept. */
const maxKeptBodyBytes = 4 * 1024;

/** The HTTP request of an attempt. */
export interface SentRequest {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Details of the attempt that a listener shows. */
  about?: object;
}

/** Posts attempts to receivers. */
export interface Transport {
  /** Posts an attempt of an account to a URL and fills in its answer. */
  post(to: { account: string; url: string }, request: SentRequest, attempt: DeliveryAttempt): Promise<void>;
  /** Ends all attempts and closes all connections. */
  destroy(): void;
}

/** Options of node:tls about the certificates of receivers. Default: what the system trusts. */
export interface ReceiverTrust {
  ca?: readonly string[];
  rejectUnauthorized?: boolean;
}

/** The HTTP client of node:http or node:https. */
export interface HttpClient {
  Agent: new (options: AgentOptions) => Agent;
  request: typeof httpRequest;
}

export const plainHttp: HttpClient = { Agent, request: httpRequest };

/** Time in ms after which an idle connection is closed. */
const idleCloseMs = 1 * minute;
/** Maximum number of idle connections that are kept. */
const maxIdleSockets = 128;

export class HttpTransport implements Transport {
  readonly #agent: Agent;
  #isDestroyed = false;

  constructor(
    /** Time limit for a whole answer, in ms of real time. */
    readonly timeout: number,
    readonly client: HttpClient,
    /** Certificates that receivers may have. */
    trust: ReceiverTrust = {},
  ) {
    this.#agent = new client.Agent({
      keepAlive: true,
      timeout: idleCloseMs,
      lookup,
      ...trust,
    } as AgentOptions);
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#agent.destroy();
  }

  /** Closes idle connections until at most `max` are left, the oldest first. */
  #closeIdle(max: number): void {
    const idle = Object.values(this.#agent.freeSockets).flat();
    for (const socket of idle.slice(0, Math.max(0, idle.length - max))) socket?.destroy();
  }

  /**
   * Posts an attempt and reads the body of the answer to its end or the timeout. Redirects are not followed, and
   * interim answers (1xx) are skipped. A receiver may close an idle connection just when it is reused: the attempt is
   * then sent on a new connection.
   */
  async post({ url }: { url: string }, request: SentRequest, attempt: DeliveryAttempt): Promise<void> {
    let current: ClientRequest | null = null;
    let isLate = false;
    const limit = timer(this.timeout, () => {
      isLate = true;
      current?.destroy(new TimedOut());
    });
    const start = () => {
      current = this.client.request(url, { method: "POST", headers: request.headers, agent: this.#agent });
      current.end(request.body);
      return current;
    };
    try {
      const response = await firstAnswer(start()).catch((error: unknown) => {
        if (!(error instanceof StaleConnection) || this.#isDestroyed) throw error;
        this.#closeIdle(0);
        return firstAnswer(start());
      });
      attempt.status = response.statusCode ?? null;
      attempt.response_headers = Object.fromEntries(
        Object.entries(response.headersDistinct).map(([name, values]) => [name, String(values)]),
      );
      await readAttemptAnswer(response, attempt);
    } catch (error) {
      // Node reports an answer that it has cut off itself as if the receiver had cut it off.
      throw isLate && attempt.status !== null ? new TimedOut(unended) : error;
    } finally {
      limit.cancel();
      this.#closeIdle(maxIdleSockets);
    }
  }
}

/** Thrown when a reused connection ended without a byte of an answer. */
class StaleConnection extends Error {}

/** Resolves to the final answer, whose body is still to be read. */
export function firstAnswer(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let socket: Socket | null = null;
    let bytesBefore = 0;
    request.once("socket", (used) => {
      socket = used;
      bytesBefore = used.bytesRead;
    });
    request.once("response", resolve);
    // A socket may emit another error after the one that ends the request.
    request.on("error", (error: NodeJS.ErrnoException) => {
      const hasEnded = error.code === "ECONNRESET" || error.code === "EPIPE";
      const isStale = hasEnded && request.reusedSocket && socket?.bytesRead === bytesBefore;
      reject(isStale ? new StaleConnection(error.message) : toAnswerError(error, false));
    });
    // Node closes a connection that an answer with 101 wants to use for another protocol, without an error.
    request.once("close", () =>
      reject(new Error("the connection was closed, or switched to another protocol, without an answer")),
    );
  });
}

/** Reads the body to its end, and keeps its first part, also of a body that breaks off. */
function readAttemptAnswer(response: IncomingMessage, attempt: DeliveryAttempt): Promise<void> {
  const kept: Buffer[] = [];
  let size = 0;
  return new Promise<void>((resolve, reject) => {
    response.on("data", (chunk: Buffer) => {
      if (size < maxKeptBodyBytes) kept.push(chunk);
      size += chunk.length;
    });
    response.once("end", resolve);
    response.on("error", (error) => reject(toAnswerError(error, true)));
  }).finally(() => {
    attempt.response_body = Buffer.concat(kept).subarray(0, maxKeptBodyBytes).toString("utf8");
  });
}

/** Posts attempts to the listeners of relays. */
export class RelayTransport implements Transport {
  readonly #onTheWay = new Set<PendingRelay>();

  constructor(
    readonly hub: RelayHub,
    /** Time limit for a whole answer, in ms of real time. */
    readonly timeout: number,
  ) {}

  destroy(): void {
    for (const request of this.#onTheWay) request.cancel(new Error("the sandbox has stopped"));
  }

  async post(
    { account, url }: { account: string; url: string },
    { headers, body, about }: SentRequest,
    attempt: DeliveryAttempt,
  ): Promise<void> {
    const request = this.hub.post(account, relayNameOf(url) ?? "", { headers, body, about });
    this.#onTheWay.add(request);
    const limit = timer(this.timeout, () => request.cancel(new TimedOut()));
    try {
      const answer = await request.answer;
      attempt.status = answer.status;
      attempt.response_headers = answer.headers;
      attempt.response_body = answer.body;
      if (answer.error !== null)
        throw isTimeout(answer.error) ? new TimedOut(answer.error) : new Error(answer.error);
    } finally {
      limit.cancel();
      this.#onTheWay.delete(request);
    }
  }
}

/** Resolves a host name. Names below `localhost` are this machine, as in browsers (RFC 6761, 6.3). */
export const lookup: LookupFunction = (hostname, options, callback) =>
  lookUp(/\.localhost\.?$/i.test(hostname) ? "localhost" : hostname, options, callback);
