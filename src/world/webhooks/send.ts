/**
 * Sends webhook attempts. Each endpoint has its own connection pool and queue, so that a hanging one delays no other. All of
 * them share a limited number of sockets.
 */

import { Slots } from "../../time/slots.js";
import { minute, stopwatch, type Timer, timer } from "../../time/time.js";
import { type DeliveryAttempt, newAttempt } from "./delivery.js";
import { type RelayHub, relayNameOf } from "./relay.js";
import {
  attemptTimeout,
  HttpTransport,
  isTimeout,
  plainHttp,
  type ReceiverTrust,
  RelayTransport,
  type SentRequest,
  TimedOut,
  type Transport,
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

export interface Outgoing {
  /** Id of the account, for a URL that leads to a relay. */
  account: string;
  endpoint: string;
  url: string;
  /** False to accept any certificate of the receiver. Default true. */
  verifyTls?: boolean;
  /** Ms on the account's clock, for the delivery log. */
  at: number;
  /**
   * Returns the request of the attempt when its turn has come, so that thousands that wait take little memory. Returns null
   * if the attempt is no longer wanted, since the account may have been reset in the meantime.
   */
  request(): SentRequest | null;
}

export interface SenderOptions {
  /** Certificates in PEM that receivers may have, in addition to the system's. */
  receiverCa?: string | null;
  /** How to have a certificate accepted that is not trusted, for the delivery log. */
  trustHint?: string;
}

class EndpointQueue {
  readonly #slots = new Slots(attemptLimit.first);
  #isSlow = false;
  #closing: Timer | null = null;

  constructor(
    readonly transport: Transport,
    /** Limits that all endpoints share. */
    readonly shared: { sockets: Slots; slow: Slots; hint: string },
    readonly onClose: () => void,
  ) {}

  get isIdle(): boolean {
    return this.#slots.active === 0;
  }

  get sockets(): number {
    return this.transport.sockets;
  }

  /** Waits for a socket. Resolves to the shared limits that it counts towards, to be handed to `leave`. */
  async enter(): Promise<readonly Slots[]> {
    this.#closing?.cancel();
    const turn = this.#slots.enter();
    if (turn) await turn;
    const { sockets, slow } = this.shared;
    const limits = this.#isSlow ? [slow, sockets] : [sockets];
    for (const limit of limits) {
      const free = limit.enter();
      if (free) await free;
    }
    return limits;
  }

  /** Gives a socket back. */
  leave(limits: readonly Slots[]): void {
    this.#slots.leave();
    for (const limit of limits) limit.leave();
    if (this.isIdle) this.#closing = timer(idleCloseMs, () => this.close());
  }

  /** Posts an attempt at `at` (ms on the account's clock). Resolves once it has been answered or has failed. */
  async post(request: SentRequest, at: number): Promise<DeliveryAttempt> {
    const elapsed = stopwatch();
    const attempt = newAttempt(at);
    try {
      await this.transport.post(request, attempt);
    } catch (error) {
      attempt.error = describeError(error, this.shared.hint);
    }
    attempt.duration_ms = Math.round(elapsed());
    this.#adapt(attempt);
    return attempt;
  }

  /** Only while it is idle. */
  close(): void {
    this.#closing?.cancel();
    this.onClose();
    this.transport.close().catch(() => {});
  }

  /** An endpoint that does not answer must not take the sockets of others. */
  #adapt({ error }: DeliveryAttempt): void {
    this.#isSlow = isTimeout(error);
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
  readonly #shared: { sockets: Slots; slow: Slots; hint: string };

  constructor(
    readonly timeout: number = attemptTimeout,
    /** Null where no URL leads to a relay. */
    readonly relays: RelayHub | null = null,
    /** Id of an account whose attempts are not sent and fail at once, because a bundle is shown there. */
    readonly shownAccount: string | null = null,
    readonly options: SenderOptions = {},
  ) {
    const hint =
      options.trustHint ?? "set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority";
    this.#shared = { sockets: new Slots(maxSockets), slow: new Slots(maxSlowSockets), hint };
  }

  /** Returns null if the attempt was no longer wanted when its turn came. */
  async send(outgoing: Outgoing): Promise<DeliveryAttempt | null> {
    if (outgoing.account === this.shownAccount) return newAttempt(outgoing.at, notSent);
    const key = `${outgoing.endpoint} ${outgoing.verifyTls ?? true} ${outgoing.url}`;
    const queue = this.#queues.get(key) ?? (await this.#open(key, outgoing));
    this.#idle.delete(queue);
    const limits = await queue.enter();
    try {
      const request = outgoing.request();
      return request && (await queue.post(request, outgoing.at));
    } finally {
      queue.leave(limits);
      this.#rest(queue);
    }
  }

  async close(): Promise<void> {
    const transports = [...this.#queues.values()].map((queue) => queue.transport);
    this.#queues.clear();
    await Promise.all(transports.map((transport) => transport.destroy()));
  }

  /** Opens the queue of an endpoint. */
  async #open(key: string, outgoing: Outgoing): Promise<EndpointQueue> {
    const transport = await this.#connect(outgoing);
    // Another attempt may have opened it while node:https was loaded.
    const known = this.#queues.get(key);
    if (known) return known;
    const queue = new EndpointQueue(transport, this.#shared, () => {
      this.#queues.delete(key);
      this.#idle.delete(queue);
    });
    this.#queues.set(key, queue);
    return queue;
  }

  async #connect({ account, url, verifyTls = true }: Outgoing): Promise<Transport> {
    const { relays, timeout } = this;
    const name = relayNameOf(url);
    if (name !== null && relays) return new RelayTransport(relays, account, name, timeout);
    if (!/^https:/i.test(url)) return new HttpTransport(url, timeout, plainHttp);
    const https = await import("node:https");
    return new HttpTransport(url, timeout, https, await this.#trust(verifyTls));
  }

  async #trust(verifyTls: boolean): Promise<ReceiverTrust> {
    if (!verifyTls) return { rejectUnauthorized: false };
    const { receiverCa } = this.options;
    if (!receiverCa) return {};
    const { rootCertificates } = await import("node:tls");
    return { ca: [...rootCertificates, receiverCa] };
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

/** Codes of node:tls for certificates that are not trusted, or belong to another host. */
const untrusted =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_ALTNAME_INVALID)/;

function describeError(error: unknown, hint: string): string {
  if (error instanceof TimedOut) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  const text = code && message && !message.includes(code) ? `${code}: ${message}` : message || String(code);
  return untrusted.test(code ?? "") ? `${text}; ${hint}` : text;
}
