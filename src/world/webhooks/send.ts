/**
 * Sends webhook attempts. Each endpoint has its own queue, so that a hanging one delays no other. All of them share a limited
 * number of sockets.
 */

import { Slots } from "../../time/slots.js";
import { stopwatch } from "../../time/time.js";
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
/** Maximum number of concurrent attempts to endpoints whose last attempt timed out. */
const maxSlowSockets = 128;
/** Number of concurrent attempts to one endpoint: doubled by each answer, and lowered by a timeout. */
const attemptLimit = { first: 4, slow: 2, max: 64 };
/** Number of queues above which idle ones are forgotten. */
const maxIdleQueues = 1_000;

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
   * Returns the request of the attempt when its turn has come, so that thousands of waiting attempts take little
   * memory. Returns null if the attempt is no longer wanted, since the account may have been reset in the meantime.
   */
  request(): SentRequest | null;
}

export interface SenderOptions {
  /** Certificates in PEM that receivers may have, in addition to the system's. */
  receiverCa?: string | null;
  /** Hint for the delivery log on how to get an untrusted certificate accepted. */
  trustHint?: string;
}

interface EndpointQueue {
  readonly slots: Slots;
  /** Whether the last attempt timed out. */
  isSlow: boolean;
}

/** Error of the attempts of an account that is only shown. */
const notSent = "not sent: the sandbox shows a bundle";

export class Sender {
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #sockets = new Slots(maxSockets);
  readonly #slowSockets = new Slots(maxSlowSockets);
  readonly #http: HttpTransport;
  readonly #relay: RelayTransport | null;
  /** HTTPS transports, by whether they verify certificates. */
  readonly #https = new Map<boolean, Promise<HttpTransport>>();

  constructor(
    readonly timeout: number = attemptTimeout,
    /** Relays of the sandbox. Null if no URL leads to a relay. */
    relays: RelayHub | null = null,
    /** Id of an account whose attempts are not sent and fail at once, because a bundle is shown there. */
    readonly shownAccount: string | null = null,
    readonly options: SenderOptions = {},
  ) {
    this.#http = new HttpTransport(timeout, plainHttp);
    this.#relay = relays && new RelayTransport(relays, timeout);
  }

  /** Returns null if the attempt was no longer wanted when its turn came. */
  async send(outgoing: Outgoing): Promise<DeliveryAttempt | null> {
    if (outgoing.account === this.shownAccount) return newAttempt(outgoing.at, notSent);
    const transport = await this.#transportFor(outgoing);
    const key = `${outgoing.endpoint} ${outgoing.verifyTls ?? true} ${outgoing.url}`;
    const queue = this.#queues.get(key) ?? { slots: new Slots(attemptLimit.first), isSlow: false };
    this.#queues.set(key, queue);
    await queue.slots.enter();
    const shared = queue.isSlow ? [this.#slowSockets, this.#sockets] : [this.#sockets];
    for (const sockets of shared) await sockets.enter();
    try {
      const request = outgoing.request();
      return request && (await this.#post(transport, queue, outgoing, request));
    } finally {
      for (const slots of [queue.slots, ...shared]) slots.leave();
      if (queue.slots.active === 0 && this.#queues.size > maxIdleQueues) this.#queues.delete(key);
    }
  }

  async close(): Promise<void> {
    this.#http.destroy();
    this.#relay?.destroy();
    for (const transport of this.#https.values()) (await transport).destroy();
  }

  async #post(
    transport: Transport,
    queue: EndpointQueue,
    to: Outgoing,
    request: SentRequest,
  ): Promise<DeliveryAttempt> {
    const elapsed = stopwatch();
    const attempt = newAttempt(to.at);
    try {
      await transport.post(to, request, attempt);
    } catch (error) {
      attempt.error = describeError(error, this.options.trustHint);
    }
    attempt.duration_ms = Math.round(elapsed());
    adapt(queue, attempt);
    return attempt;
  }

  #transportFor({ url, verifyTls = true }: Outgoing): Transport | Promise<Transport> {
    if (relayNameOf(url) !== null && this.#relay) return this.#relay;
    if (!/^https:/i.test(url)) return this.#http;
    const known = this.#https.get(verifyTls) ?? this.#openHttps(verifyTls);
    this.#https.set(verifyTls, known);
    return known;
  }

  async #openHttps(verifyTls: boolean): Promise<HttpTransport> {
    const https = await import("node:https");
    return new HttpTransport(this.timeout, https, await this.#trust(verifyTls));
  }

  async #trust(verifyTls: boolean): Promise<ReceiverTrust> {
    if (!verifyTls) return { rejectUnauthorized: false };
    const { receiverCa } = this.options;
    if (!receiverCa) return {};
    const { rootCertificates } = await import("node:tls");
    return { ca: [...rootCertificates, receiverCa] };
  }
}

/** Changes the number of concurrent attempts: an endpoint that does not answer must not take the sockets of others. */
function adapt(queue: EndpointQueue, { error }: DeliveryAttempt): void {
  const { slots } = queue;
  queue.isSlow = isTimeout(error);
  if (queue.isSlow) slots.max = attemptLimit.slow;
  else if (error === null) slots.max = Math.min(2 * slots.max, attemptLimit.max);
}

/** Codes of node:tls for certificates that are not trusted, or belong to another host. */
const untrusted =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_CERT_ALTNAME_INVALID)/;

const defaultHint = "set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority";

function describeError(error: unknown, hint = defaultHint): string {
  if (error instanceof TimedOut) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  const text = code && message && !message.includes(code) ? `${code}: ${message}` : message || String(code);
  return untrusted.test(code ?? "") ? `${text}; ${hint}` : text;
}
