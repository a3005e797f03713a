/** Delivery attempts that arrive through a relay: posts them to the receiver, and formats them. */

import type { RelayedRequest } from "../../client/relay-listener.js";
import { isSuccessStatus } from "../../contract/reply-forms.js";
import { realNow, stopwatch } from "../../time/time.js";
import { maxAttempts } from "../../world/webhooks/delivery.js";
import type { RelayAnswer, RelaySending } from "../../world/webhooks/relay.js";
import { attemptTimeout, Sender } from "../../world/webhooks/send.js";
import { colors, toOneLine } from "../output/print.js";
import { type Forwarding, forwardingTarget } from "./forwarding.js";

/** Description of an attempt, as the sandbox sent it. Times are ISO 8601 on the account's clock. */
interface About {
  at: string;
  event: string;
  /** Sentence that says what happened. Null if it is not known. Omitted by older sandboxes. */
  says?: string | null;
  /** Null for a request that is not a delivery. Its title is then in place of the event. */
  event_id: string | null;
  delivery_id: string | null;
  attempt: number;
  /** Time of the retry if the attempt fails. Null if it is the last one. */
  retry_at: string | null;
}

export interface RelayedAttempt extends Omit<About, "retry_at"> {
  of: number;
  forwarded: boolean;
  status: number | null;
  error: string | null;
  duration_ms: number;
  next_attempt_at: string | null;
  request_headers?: Readonly<Record<string, string>>;
  request_body?: string;
}

/** Answer to events that are not forwarded. */
const accepted: RelayAnswer = { status: 204, headers: {}, body: "", error: null };

/** Answer to a request that is not a delivery, from a listener that only prints. */
const notForwarded: RelayAnswer = {
  status: null,
  headers: {},
  body: "",
  error: "the listener was started without the URL of a receiver",
};

export class RelayForwarder {
  readonly #sender = new Sender();
  /** Senders of requests that are not deliveries, by their time limit in ms. */
  readonly #senders = new Map<number, Sender>();
  /** Resolves when the pause ends. Null while there is none. */
  #pause: { over: Promise<void>; end(): void } | null = null;
  /** Id of the delivery whose attempt failed last, or null. */
  lastFailed: string | null = null;

  constructor(
    readonly forwarding: Forwarding,
    readonly show: (attempt: RelayedAttempt) => void,
  ) {}

  get isPaused(): boolean {
    return this.#pause !== null;
  }

  /** Lets attempts wait, or ends the pause. */
  togglePause(): void {
    const pause = this.#pause;
    this.#pause = null;
    if (pause) return pause.end();
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#pause = { over, end };
  }

  async answer(request: RelayedRequest): Promise<RelayAnswer> {
    const { url } = this.forwarding;
    const about = request.about as About;
    const { sending } = request as { sending?: RelaySending };
    if (sending) {
      const answer = url === null ? notForwarded : await this.#sendAs(sending, url, request);
      if (!sending.connectOnly)
        this.show(this.#describe(request, about, answer, true, answer.duration_ms ?? 0));
      return answer;
    }
    const waited = stopwatch();
    await this.#pause?.over;
    // The sandbox no longer waits for it, and sends it again.
    if (waited() > attemptTimeout) return accepted;
    const target = forwardingTarget(this.forwarding, about.event, request.body);
    const elapsed = stopwatch();
    const answer = target === null ? accepted : await this.#post(this.#sender, target, request);
    if (about.delivery_id !== null && !isSuccessStatus(answer.status)) this.lastFailed = about.delivery_id;
    this.show(this.#describe(request, about, answer, target !== null, Math.round(elapsed())));
    return answer;
  }

  async close(): Promise<void> {
    if (this.isPaused) this.togglePause();
    for (const sender of [this.#sender, ...this.#senders.values()]) await sender.close();
  }

  /** Sends a request of `standin webhooks check`. */
  async #sendAs(sending: RelaySending, url: string, request: RelayedRequest): Promise<RelayAnswer> {
    const { timeout, connectOnly, ...options } = sending;
    const { expectReachable } = await import("../../receiver-check/receiver-route.js");
    if (connectOnly)
      return expectReachable(url, timeout).then(
        () => ({ ...accepted, status: null }),
        (error: Error) => ({ ...accepted, status: null, error: error.message }),
      );
    if (Object.keys(options).length > 0) {
      const { sendRawRequest } = await import("../../receiver-check/receiver-route.js");
      return { ...accepted, ...(await sendRawRequest(url, request.headers, request.body, options, timeout)) };
    }
    const sender = this.#senders.get(timeout) ?? new Sender(timeout);
    this.#senders.set(timeout, sender);
    return this.#post(sender, url, request);
  }

  async #post(sender: Sender, url: string, { headers, body }: RelayedRequest): Promise<RelayAnswer> {
    const request = () => ({ headers, body });
    const attempt = await sender.send({ account: "", endpoint: "receiver", url, now: realNow, request });
    if (!attempt) return accepted;
    const { status, response_headers, response_body, error, duration_ms } = attempt;
    return { status, headers: response_headers, body: response_body, error, duration_ms };
  }

  #describe(
    { headers, body }: RelayedRequest,
    { retry_at, ...about }: About,
    { status, error }: RelayAnswer,
    forwarded: boolean,
    duration_ms: number,
  ): RelayedAttempt {
    return {
      ...about,
      of: maxAttempts,
      forwarded,
      status,
      error,
      duration_ms,
      next_attempt_at: isSuccessStatus(status) ? null : retry_at,
      ...(this.forwarding.prints ? { request_headers: headers, request_body: body } : {}),
    };
  }
}

const longestEvent = "virtual_account.created".length;

/** Manual retries are not limited. */
const formatNumber = (attempt: number): string =>
  attempt > maxAttempts ? `attempt ${attempt} (manual)` : `attempt ${attempt} of ${maxAttempts}`;

export function formatAttempt(entry: RelayedAttempt): string {
  const { at, event, says, delivery_id, attempt, forwarded, status, error, duration_ms, next_attempt_at } =
    entry;
  const result = status === null ? toOneLine(error ?? "no answer") : String(status);
  const line = [
    at,
    event.padEnd(longestEvent),
    ...(delivery_id === null ? [] : [delivery_id, formatNumber(attempt)]),
    ...(forwarded
      ? [isSuccessStatus(status) ? colors.green(result) : colors.red(result), `${duration_ms} ms`]
      : [colors.dim("not forwarded")]),
    ...(next_attempt_at ? [colors.dim(`next ${next_attempt_at}`)] : []),
    ...(says ? [toOneLine(says)] : []),
  ].join("  ");
  const { request_headers, request_body } = entry;
  if (request_body === undefined) return line;
  const headers = Object.entries(request_headers ?? {}).map(([name, value]) => `  ${name}: ${value}`);
  return [line, ...headers.map(colors.dim), `  ${request_body}`].join("\n");
}
