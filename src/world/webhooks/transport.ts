/** Sends webhook attempts to their receivers: over HTTP, or through a relay to a tester's listener. */
import type { Dispatcher, Pool } from "undici";
import { second, timer } from "../../time/time.js";
import type { DeliveryAttempt } from "./delivery.js";
import type { RelayedRequest, RelayHub } from "./relay.js";

/** Default time limit for a whole answer, in ms of real time. */
export const attemptTimeout = 10 * second;
export const timedOut = `no answer within ${attemptTimeout / second} s`;

export class TimedOut extends Error {
  override message = timedOut;
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

/** Posts attempts to one receiver. */
export interface Transport {
  /** Number of open sockets. */
  readonly sockets: number;
  /** Posts an attempt and fills in its answer. */
  post(request: SentRequest, attempt: DeliveryAttempt): Promise<void>;
  /** Closes the transport once it is idle. */
  close(): Promise<void>;
  /** Closes it at once. */
  destroy(): Promise<void>;
}

export class HttpTransport implements Transport {
  constructor(
    readonly pool: Pool,
    /** Path with query. */
    readonly path: string,
    /** Time limit for a whole answer, in ms of real time. */
    readonly timeout: number,
  ) {}

  get sockets(): number {
    return this.pool.stats.connected;
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  destroy(): Promise<void> {
    return this.pool.destroy();
  }

  /** The body of the answer is read to its end or the timeout. Redirects are not followed. */
  post({ headers, body }: SentRequest, attempt: DeliveryAttempt): Promise<void> {
    return new Promise((resolve, reject) => {
      let controller: Dispatcher.DispatchController | null = null;
      const limit = timer(this.timeout, () => {
        controller?.abort(new TimedOut());
        end(new TimedOut());
      });
      const kept: Buffer[] = [];
      let size = 0;
      const end = (error: Error | null) => {
        limit.cancel();
        attempt.response_body = Buffer.concat(kept).subarray(0, maxKeptBodyBytes).toString("utf8");
        if (error) reject(error);
        else resolve();
      };
      this.pool.dispatch(
        { path: this.path, method: "POST", headers, body },
        {
          onRequestStart: (started) => {
            controller = started;
          },
          onResponseStart: (_controller, status, answered) => {
            attempt.status = status;
            for (const [name, value] of Object.entries(answered))
              attempt.response_headers[name] = String(value);
          },
          onResponseData: (_controller, chunk) => {
            if (size < maxKeptBodyBytes) kept.push(chunk);
            size += chunk.length;
          },
          onResponseEnd: () => end(null),
          onResponseError: (_controller, error) => end(error),
        },
      );
    });
  }
}

export class RelayTransport implements Transport {
  readonly sockets = 0;
  readonly #onTheWay = new Set<RelayedRequest>();

  constructor(
    readonly hub: RelayHub,
    readonly account: string,
    readonly name: string,
    /** Time limit for a whole answer, in ms of real time. */
    readonly timeout: number,
  ) {}

  async close(): Promise<void> {
    for (const request of this.#onTheWay) request.cancel(new Error("the sandbox has stopped"));
  }

  destroy(): Promise<void> {
    return this.close();
  }

  async post({ headers, body, about }: SentRequest, attempt: DeliveryAttempt): Promise<void> {
    const request = this.hub.post(this.account, this.name, { headers, body, about });
    this.#onTheWay.add(request);
    const limit = timer(this.timeout, () => request.cancel(new TimedOut()));
    try {
      const answer = await request.answer;
      attempt.status = answer.status;
      attempt.response_headers = answer.headers;
      attempt.response_body = answer.body;
      if (answer.error !== null) throw answer.error === timedOut ? new TimedOut() : new Error(answer.error);
    } finally {
      limit.cancel();
      this.#onTheWay.delete(request);
    }
  }
}
