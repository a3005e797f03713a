/**
 * Sends webhook attempts. Each endpoint has a connection pool and a queue of its own, so that one that hangs delays no
 * other. All together have a limited number of sockets.
 */
import { type DeliveryAttempt, newAttempt } from "../world/outbox/delivery.js";
import { relayNameOf } from "../world/outbox/relay-url.js";
import { Slots } from "../world/slots.js";
import { minute, stopwatch, type Timer, timer } from "../world/time/time.js";
import type { RelayHub } from "./relay.js";
import {
  attemptTimeout,
  HttpTransport,
  RelayTransport,
  type SentRequest,
  TimedOut,
  type Transport,
  timedOut,
} from "./transport.js";

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

export interface Outgoing extends SentRequest {
  /** Id of the account, for a URL that leads to a relay. */
  account: string;
  endpoint: string;
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
    readonly transport: Transport,
    /** Limits that all endpoints share. */
    readonly shared: { sockets: Slots; slow: Slots },
    readonly onClose: () => void,
  ) {}

  get isIdle(): boolean {
    return this.#slots.active === 0;
  }

  get sockets(): number {
    return this.transport.sockets;
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
    this.transport.close().catch(() => {});
  }

  /** An endpoint that does not answer must not take the sockets of those that do. */
  adapt({ error }: DeliveryAttempt): void {
    this.#isSlow = error === timedOut;
    if (this.#isSlow) this.#slots.max = attemptLimit.slow;
    else if (error === null) this.#slots.max = Math.min(2 * this.#slots.max, attemptLimit.max);
  }
}

/** Error of the attempts of an account that is only shown. */
const notSent = "not sent: the sandbox shows a bundle";

export class Sender {
  readonly #queues = new Map<string, EndpointQueue>();
  /** Idle endpoints with their open sockets, the one idle for longest first. */
  readonly #idle = new Map<EndpointQueue, number>();
  readonly #shared = { sockets: new Slots(maxSockets), slow: new Slots(maxSlowSockets) };
  #loaded: Promise<typeof import("./pool.js")> | null = null;

  constructor(
    readonly timeout: number = attemptTimeout,
    /** Null where no URL leads to a relay. */
    readonly relays: RelayHub | null = null,
    /** Id of an account whose attempts are not sent and fail at once, because a bundle is shown there. */
    readonly shownAccount: string | null = null,
  ) {}

  /** Returns null if the attempt was no longer wanted when its turn came. */
  async send(outgoing: Outgoing): Promise<DeliveryAttempt | null> {
    if (outgoing.account === this.shownAccount) return newAttempt(outgoing.at, notSent);
    const queue = await this.#queueFor(outgoing);
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
      await queue.transport.post(outgoing, attempt);
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
    const transports = [...this.#queues.values()].map((queue) => queue.transport);
    this.#queues.clear();
    await Promise.all(transports.map((transport) => transport.destroy()));
  }

  async #queueFor({ account, endpoint, url }: Outgoing): Promise<EndpointQueue> {
    const name = relayNameOf(url);
    if (name !== null && this.relays) {
      const { relays, timeout } = this;
      return this.#queue(`${endpoint} ${url}`, () => new RelayTransport(relays, account, name, timeout));
    }
    const { origin } = new URL(url);
    this.#loaded ??= import("./pool.js");
    const { Pool } = await this.#loaded;
    return this.#queue(`${endpoint} ${origin}`, () => {
      const pool = new Pool(origin, {
        connections: attemptLimit.max,
        pipelining: 1,
        headersTimeout: this.timeout,
        bodyTimeout: this.timeout,
        connect: { timeout: this.timeout },
      });
      return new HttpTransport(pool, this.timeout);
    });
  }

  #queue(key: string, open: () => Transport): EndpointQueue {
    const known = this.#queues.get(key);
    if (known) return known;
    const queue = new EndpointQueue(open(), this.#shared, () => {
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
