/**
 * Sends webhook attempts: the job of a delivery sends one signed attempt, genuine or forged as a rule asks, to its receiver
 * or through a relay, and records its result in one commit. Each endpoint has its own queue, so that a hanging one delays no
 * other. All of them share a limited number of sockets.
 */
import {
  Agent,
  type AgentOptions,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
} from "node:http";
import { firstAnswer, lookup, StaleConnection, toAnswerError } from "../../contract/http-answer.js";
import { Slots } from "../../time/slots.js";
import { minute, second, stopwatch, timer, toIso } from "../../time/time.js";
import type { Account } from "../account/account.js";
import type { JobKind, Ran } from "../account/run-job.js";
import type { Activity } from "../activity/activity.js";
import type { Figures } from "../activity/coverage.js";
import type { Job } from "../jobs/jobs.js";
import {
  attemptRequest,
  type Delivery,
  type DeliveryAttempt,
  delivery,
  failDelivery,
  newAttempt,
  recordAttempt,
  retryAt,
  withoutAnswer,
} from "./delivery.js";
import { pastTotal, type SentEvent, sentEvents, sentenceOf } from "./outbox.js";
import { formatReceiver, type PendingRelay, type RelayHub, relayNameOf } from "./relay.js";

/** Returns the headers with which an attempt continues a trace. */
type TraceHeadersOf = (accountId: string, attempt: Activity) => Record<string, string>;

export const deliverJob = (
  sender: Sender,
  figures?: Figures,
  traceHeadersOf: TraceHeadersOf = () => ({}),
): JobKind => ({
  says: formatDue,
  async run(account, job, activity) {
    const { epoch } = account;
    // No receiver may learn of a change that the store could still lose.
    await account.safe();
    if (account.epoch !== epoch) return null;
    const record = pendingDelivery(account, job);
    if (record && isEventGone(account, record)) return () => endUnsent(account, job);
    const traceHeaders = () => traceHeadersOf(account.id, activity);
    const sent = record && (await attemptOnce(account, record, job, { sender, epoch, traceHeaders }));
    if (account.epoch !== epoch) return null;
    if (!sent) return record && isEventGone(account, record) ? () => endUnsent(account, job) : null;
    const isLost = record.lose_answer === true && record.attempts.length === 0;
    const attempt = isLost ? withoutAnswer(sent) : sent;
    figures?.attempted(attempt);
    if (isTimeout(attempt.error)) account.advancing?.add(record.endpoint_id);
    return () => recordResult(account, job, attempt);
  },
});

/** Formats the attempt that a job is about to make, such as `payout.paid is sent to shop.example.` */
function formatDue(account: Account, job: Job): string {
  const record = account.records.get(delivery, job.id as string);
  if (!record) return `The delivery ${job.id} is sent.`;
  const { event, url, attempts } = record;
  const again = attempts.length === 0 ? "" : `, attempt ${attempts.length + 1}`;
  return `${event} is sent to ${formatReceiver(url)}${again}.`;
}

/** Returns the delivery of a job, or null if it has ended or was removed. */
function pendingDelivery(account: Account, { id }: Job): Delivery | null {
  const record = account.records.get(delivery, id as string);
  return record?.state === "pending" ? record : null;
}

/** Returns whether the event is no longer kept, and with it the body that the delivery would send. */
const isEventGone = ({ state }: Account, { event_id }: Delivery): boolean => !state.has(sentEvents, event_id);

function endUnsent(account: Account, job: Job): Ran | null {
  const record = pendingDelivery(account, job);
  if (!record) return null;
  failDelivery(account, record, pastTotal);
  return describeResult(record, record.attempts.at(-1)?.at ?? toIso(job.due), null);
}

interface Sending {
  sender: Sender;
  epoch: number;
  traceHeaders(): Record<string, string>;
}

/** Sends the next attempt. Resolves to null if it was no longer wanted when its turn came. */
async function attemptOnce(
  account: Account,
  record: Delivery,
  job: Job,
  { sender, epoch, traceHeaders }: Sending,
): Promise<DeliveryAttempt | null> {
  const now = () => (account.advancing ? job.due : account.clock.now());
  // An endpoint delays an advance by at most one timeout.
  if (account.advancing?.has(record.endpoint_id)) return newAttempt(now(), timedOut);
  return sender.send({
    account: account.id,
    endpoint: `${account.id} ${record.endpoint_id}`,
    url: record.url,
    verifyTls: account.outbox.endpoint(record.endpoint_id)?.verify_tls ?? true,
    now,
    request() {
      const event = account.epoch === epoch ? account.outbox.event(record.event_id) : undefined;
      if (!event) return null;
      const attempt = record.attempts.length + 1;
      const { headers, body } = attemptRequest(account.outbox, record, event.body, attempt);
      return {
        headers: { ...headers, ...traceHeaders() },
        body,
        ...(record.cut_off && attempt === 1 ? { isCutOff: true } : {}),
        ...(relayNameOf(record.url) === null
          ? {}
          : { about: describe(record, event, attempt, now(), job.due) }),
      };
    },
  });
}

/** Describes an attempt for the listener of a relay. `at` and `due` are ms on the account's clock. */
function describe(record: Delivery, event: SentEvent, attempt: number, at: number, due: number) {
  const next = retryAt(record, attempt, due);
  return {
    at: toIso(at),
    event: record.event,
    says: sentenceOf(event),
    event_id: record.event_id,
    delivery_id: record.id,
    attempt,
    retry_at: next === null ? null : toIso(next),
  };
}

/** Reads the delivery again: while the attempt was out, it may have been retried by hand or removed. */
function recordResult(account: Account, job: Job, attempt: DeliveryAttempt): Ran | null {
  const record = pendingDelivery(account, job);
  if (!record) return null;
  return describeResult(recordAttempt(account, record, attempt, job), attempt.at, attempt.status);
}

const describeResult = (
  { id, event, attempts, state }: Delivery,
  at: string,
  status: number | null,
): Ran => ({ at, kind: "delivery", id, event, attempt: attempts.length, status, state });

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
  /** Returns the time of an attempt that starts now, in ms on the account's clock. */
  now(): number;
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
    this.#http = new HttpTransport(timeout);
    this.#relay = relays && new RelayTransport(relays, timeout);
  }

  /** Returns null if the attempt was no longer wanted when its turn came. */
  async send(outgoing: Outgoing): Promise<DeliveryAttempt | null> {
    if (outgoing.account === this.shownAccount) return newAttempt(outgoing.now(), notSent);
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
    const attempt = newAttempt(to.now());
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
    return new HttpTransport(this.timeout, https.Agent, await this.#trust(verifyTls));
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

/** Maximum size in bytes of the part of an answer's body that is kept. */
const maxKeptBodyBytes = 4 * 1024;

/** The HTTP request of an attempt. */
export interface SentRequest {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Whether the connection is closed in the middle of the body. */
  isCutOff?: boolean;
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
    /** The agent of node:http or node:https. */
    AnyAgent: typeof Agent = Agent,
    /** Certificates that receivers may have. */
    trust: ReceiverTrust = {},
  ) {
    this.#agent = new AnyAgent({ keepAlive: true, timeout: idleCloseMs, lookup, ...trust } as AgentOptions);
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
      current = httpRequest(url, { method: "POST", headers: request.headers, agent: this.#agent });
      if (request.isCutOff) sendHalf(current, request.body);
      else current.end(request.body);
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

const cutOff = "the connection was closed in the middle of the body, as a rule asks";

/** Sends half of a body, and closes the connection. */
function sendHalf(request: ClientRequest, body: string): void {
  const bytes = Buffer.from(body);
  request.setHeader("Content-Length", bytes.length);
  request.write(bytes.subarray(0, bytes.length / 2), () => request.destroy(new Error(cutOff)));
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
    { headers, body, about, isCutOff }: SentRequest,
    attempt: DeliveryAttempt,
  ): Promise<void> {
    // A listener gets a delivery as a whole, or not at all.
    if (isCutOff) throw new Error(cutOff);
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
