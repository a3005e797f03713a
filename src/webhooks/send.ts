/** One attempt on the wire. A pool and a queue of its own for each endpoint: one that hangs delays no other. */
import type { Dispatcher, Pool } from "undici";
import { type DeliveryAttempt, newAttempt } from "../world/outbox/delivery.js";
import { minute, second, stopwatch, type Timer, timer } from "../world/time/time.js";

/** Real ms that an endpoint has for its whole answer, unless a sender is told otherwise. */
export const attemptTimeout = 10 * second;
const bodyLimit = 4 * 1024;
/** Attempts on the wire to one endpoint at a time; the others wait in line. */
const perEndpoint = 64;
/** An endpoint's sockets are closed when it has had nothing for so long. */
const idleAfter = 1 * minute;

export interface Outgoing {
  endpoint: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Ms on the account's clock, for the log. */
  at: number;
  /** Asked when the attempt's turn has come: the account may have been reset meanwhile. */
  isWanted(): boolean;
}

class Lane {
  #active = 0;
  readonly #line: (() => void)[] = [];
  #idle: Timer | null = null;

  constructor(
    readonly pool: Pool,
    readonly onIdle: () => void,
  ) {}

  async enter(): Promise<void> {
    this.#idle?.cancel();
    if (this.#active >= perEndpoint) await new Promise<void>((resolve) => this.#line.push(resolve));
    else this.#active++;
  }

  leave(): void {
    const next = this.#line.shift();
    if (next) return next();
    this.#active--;
    if (this.#active === 0) this.#idle = timer(idleAfter, this.onIdle);
  }
}

export class Sender {
  readonly #lanes = new Map<string, Lane>();
  #loaded: Promise<typeof import("./pool.js")> | null = null;

  constructor(readonly timeout: number = attemptTimeout) {}

  /** Null: when its turn came it was not wanted any more. */
  async send(outgoing: Outgoing): Promise<DeliveryAttempt | null> {
    const { origin, pathname, search } = new URL(outgoing.url);
    const lane = await this.#lane(`${outgoing.endpoint} ${origin}`, origin);
    await lane.enter();
    if (!outgoing.isWanted()) {
      lane.leave();
      return null;
    }
    const elapsed = stopwatch();
    const attempt = newAttempt(outgoing.at);
    try {
      await dispatch(lane.pool, pathname + search, outgoing, attempt, this.timeout);
    } catch (error) {
      attempt.error = sayError(error);
    } finally {
      attempt.duration_ms = Math.round(elapsed());
      lane.leave();
    }
    return attempt;
  }

  async close(): Promise<void> {
    const pools = [...this.#lanes.values()].map((lane) => lane.pool);
    this.#lanes.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  async #lane(key: string, origin: string): Promise<Lane> {
    const known = this.#lanes.get(key);
    if (known) return known;
    this.#loaded ??= import("./pool.js");
    const { Pool } = await this.#loaded;
    const opened = this.#lanes.get(key);
    if (opened) return opened;
    const pool = new Pool(origin, {
      connections: perEndpoint,
      pipelining: 1,
      headersTimeout: this.timeout,
      bodyTimeout: this.timeout,
      connect: { timeout: this.timeout },
    });
    const lane = new Lane(pool, () => {
      this.#lanes.delete(key);
      pool.close().catch(() => {});
    });
    this.#lanes.set(key, lane);
    return lane;
  }
}

export const timedOut = `no answer within ${attemptTimeout / second} s`;

class TimedOut extends Error {
  override message = timedOut;
}

/** Redirects are not followed; the answer's body is kept up to its limit and read to its end or the time-out. */
function dispatch(
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
      attempt.response_body = Buffer.concat(kept).subarray(0, bodyLimit).toString("utf8");
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
          if (size < bodyLimit) kept.push(chunk);
          size += chunk.length;
        },
        onResponseEnd: () => end(null),
        onResponseError: (_controller, error) => end(error),
      },
    );
  });
}

function sayError(error: unknown): string {
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
