/**
 * Sends webhook attempts. Each endpoint has a connection pool and a queue of its own, so that one that hangs delays no
 * other. All together have a limited number of sockets.
 */
import type { Dispatcher, Pool } from "undici";
import { type DeliveryAttempt, newAttempt } from "../world/outbox/delivery.js";
import { Slots } from "../world/slots.js";
import { minute, second, stopwatch, type Timer, timer } from "../world/time/time.js";

/** Default time limit for a whole answer, in ms of real time. */
export const attemptTimeout = 10 * second;
/** Maximum size in bytes of the part of an answer's body that is kept. */
const keptBodyBytes = 4 * 1024;
/** Maximum number of concurrent attempts to all endpoints together: each takes a socket. */
const maxSockets = 256;
/** Maximum number of sockets kept open to idle endpoints. */
const maxIdleSockets = 128;
/** Maximum number of concurrent attempts to endpoints whose last attempt timed out. */
const maxSlowSockets = 128;
/** Number of concurrent attempts to one endpoint: doubled by each answer, and lowered by a timeout. */
const attemptLimit = { first: 4, slow: 2, max: 64 };
/** Ms of real time without attempts after which an endpoint's sockets are closed. */
const idleCloseMs = 1 * minute;

export interface Outgoing {
  endpoint: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Ms on the account's clock, for the delivery log. */
  at: number;
  /** Called when the attempt's turn has come, since the account may have been reset meanwhile. */
  isWanted(): boolean;
}

class EndpointQueue {
  readonly #slots = new Slots(attemptLimit.first);
  #isSlow = false;
  #closing: Timer | null = null;

  constructor(
    readonly pool: Pool,
    /** Limits that all endpoints share. */
    readonly shared: { sockets: Slots; slow: Slots },
    readonly onClose: () => void,
  ) {}

  get isIdle(): boolean {
    return this.#slots.active === 0;
  }

  get sockets(): number {
    return this.pool.stats.connected;
  }

  /** Waits for a socket. Returns the function that gives it back. */
  async enter(): Promise<() => void> {
    this.#closing?.cancel();
    const taken: Slots[] = [];
    const take = async (slots: Slots) => {
      const turn = slots.enter();
      if (turn) await turn;
      taken.push(slots);
    };
    await take(this.#slots);
    if (this.#isSlow) await take(this.shared.slow);
    await take(this.shared.sockets);
    return () => {
      for (const slots of taken) slots.leave();
      if (this.isIdle) this.#closing = timer(idleCloseMs, () => this.close());
    };
  }

  /** Only while it is idle. */
  close(): void {
    this.#closing?.cancel();
    this.onClose();
    this.pool.close().catch(() => {});
  }

  /** An endpoint that does not answer must not take the sockets of those that do. */
  adapt({ error }: DeliveryAttempt): void {
    this.#isSlow = error === timedOut;
    if (this.#isSlow) this.#slots.max = attemptLimit.slow;
    else if (error === null) this.#slots.max = Math.min(2 * this.#slots.max, attemptLimit.max);
  }
}

export class Sender {
  readonly #queues = new Map<string, EndpointQueue>();
  /** Idle endpoints with their open sockets, the one idle for longest first. */
  readonly #idle = new Map<EndpointQueue, number>();
  readonly #shared = { sockets: new Slots(maxSockets), slow: new Slots(maxSlowSockets) };
  #loaded: Promise<typeof import("./pool.js")> | null = null;

  constructor(readonly timeout: number = attemptTimeout) {}

  /** Returns null if the attempt was no longer wanted when its turn came. */
  async send(outgoing: Outgoing): Promise<DeliveryAttempt | null> {
    const { origin, pathname, search } = new URL(outgoing.url);
    this.#loaded ??= import("./pool.js");
    const { Pool } = await this.#loaded;
    const queue = this.#queue(`${outgoing.endpoint} ${origin}`, origin, Pool);
    this.#idle.delete(queue);
    const leave = await queue.enter();
    if (!outgoing.isWanted()) {
      leave();
      this.#rest(queue);
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
      queue.adapt(attempt);
      leave();
      this.#rest(queue);
    }
    return attempt;
  }

  async close(): Promise<void> {
    const pools = [...this.#queues.values()].map((queue) => queue.pool);
    this.#queues.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #queue(key: string, origin: string, PoolOf: typeof Pool): EndpointQueue {
    const known = this.#queues.get(key);
    if (known) return known;
    const pool = new PoolOf(origin, {
      connections: attemptLimit.max,
      pipelining: 1,
      headersTimeout: this.timeout,
      bodyTimeout: this.timeout,
      connect: { timeout: this.timeout },
    });
    const queue = new EndpointQueue(pool, this.#shared, () => {
      this.#queues.delete(key);
      this.#idle.delete(queue);
    });
    this.#queues.set(key, queue);
    return queue;
  }

  /** Closes the endpoints idle for longest when too many sockets are open to idle endpoints. */
  #rest(queue: EndpointQueue): void {
    if (!queue.isIdle) return;
    this.#idle.set(queue, queue.sockets);
    let sockets = 0;
    for (const count of this.#idle.values()) sockets += count;
    for (const [oldest, count] of this.#idle) {
      if (sockets <= maxIdleSockets) return;
      oldest.close();
      sockets -= count;
    }
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
