/** Sends webhook attempts. Each endpoint has a connection pool and a queue of its own, so that one that hangs delays no other. */
import type { Dispatcher, Pool } from "undici";
import { type DeliveryAttempt, newAttempt } from "../world/outbox/delivery.js";
import { minute, second, stopwatch, type Timer, timer } from "../world/time/time.js";

/** Default time limit for a whole answer, in ms of real time. */
export const attemptTimeout = 10 * second;
/** Maximum size in bytes of the part of an answer's body that is kept. */
const keptBodyBytes = 4 * 1024;
/** Maximum number of concurrent attempts to one endpoint. */
const maxPerEndpoint = 64;
/** Ms of real time without attempts after which an endpoint's sockets are closed. */
const idleCloseMs = 1 * minute;

export interface Outgoing {
  endpoint: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Ms on the account's clock, for the delivery log. */
  at: number;
  /** Asked when the attempt's turn has come: the account may have been reset meanwhile. */
  isWanted(): boolean;
}

class EndpointQueue {
  #active = 0;
  readonly #waiting: (() => void)[] = [];
  #idle: Timer | null = null;

  constructor(
    readonly pool: Pool,
    readonly onIdle: () => void,
  ) {}

  async enter(): Promise<void> {
    this.#idle?.cancel();
    if (this.#active >= maxPerEndpoint) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#active++;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) return next();
    this.#active--;
    if (this.#active === 0) this.#idle = timer(idleCloseMs, this.onIdle);
  }
}

export class Sender {
  readonly #queues = new Map<string, EndpointQueue>();
  #loaded: Promise<typeof import("./pool.js")> | null = null;

  constructor(readonly timeout: number = attemptTimeout) {}

  /** Returns null when the attempt was no longer wanted when its turn came. */
  async send(outgoing: Outgoing): Promise<DeliveryAttempt | null> {
    const { origin, pathname, search } = new URL(outgoing.url);
    const queue = await this.#queue(`${outgoing.endpoint} ${origin}`, origin);
    await queue.enter();
    if (!outgoing.isWanted()) {
      queue.leave();
      return null;
    }
    const elapsed = stopwatch();
    const attempt = newAttempt(outgoing.at);
    try {
      await post(queue.pool, pathname + search, outgoing, attempt, this.timeout);
    } catch (error) {
      attempt.error = describeError(error);
    } finally {
      attempt.duration_ms = Math.round(elapsed());
      queue.leave();
    }
    return attempt;
  }

  async close(): Promise<void> {
    const pools = [...this.#queues.values()].map((queue) => queue.pool);
    this.#queues.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  async #queue(key: string, origin: string): Promise<EndpointQueue> {
    const known = this.#queues.get(key);
    if (known) return known;
    this.#loaded ??= import("./pool.js");
    const { Pool } = await this.#loaded;
    const opened = this.#queues.get(key);
    if (opened) return opened;
    const pool = new Pool(origin, {
      connections: maxPerEndpoint,
      pipelining: 1,
      headersTimeout: this.timeout,
      bodyTimeout: this.timeout,
      connect: { timeout: this.timeout },
    });
    const queue = new EndpointQueue(pool, () => {
      this.#queues.delete(key);
      pool.close().catch(() => {});
    });
    this.#queues.set(key, queue);
    return queue;
  }
}

export const timedOut = `no answer within ${attemptTimeout / second} s`;

class TimedOut extends Error {
  override message = timedOut;
}

/** Posts an attempt and fills in its answer, whose body is read to its end or the timeout. Redirects are not followed. */
function post(
  pool: Pool,
  path: string,
  outgoing: Outgoing,
  attempt: DeliveryAttempt,
  timeout: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    const limit = timer(timeout, () => {
      controller?.abort(new TimedOut());
      end(new TimedOut());
    });
    const kept: Buffer[] = [];
    let size = 0;
    const end = (error: Error | null) => {
      limit.cancel();
      attempt.response_body = Buffer.concat(kept).subarray(0, keptBodyBytes).toString("utf8");
      if (error) reject(error);
      else resolve();
    };
    pool.dispatch(
      { path, method: "POST", headers: outgoing.headers, body: outgoing.body },
      {
        onRequestStart: (started) => {
          controller = started;
        },
        onResponseStart: (_controller, status, headers) => {
          attempt.status = status;
          for (const [name, value] of Object.entries(headers)) attempt.response_headers[name] = String(value);
        },
        onResponseData: (_controller, chunk) => {
          if (size < keptBodyBytes) kept.push(chunk);
          size += chunk.length;
        },
        onResponseEnd: () => end(null),
        onResponseError: (_controller, error) => end(error),
      },
    );
  });
}

function describeError(error: unknown): string {
  if (error instanceof TimedOut) return timedOut;
  const { code, message } = error as NodeJS.ErrnoException;
  if (
    code === "UND_ERR_HEADERS_TIMEOUT" ||
    code === "UND_ERR_BODY_TIMEOUT" ||
    code === "UND_ERR_CONNECT_TIMEOUT"
  ) {
    return timedOut;
  }
  return code && !message.includes(code) ? `${code}: ${message}` : message || String(code);
}
