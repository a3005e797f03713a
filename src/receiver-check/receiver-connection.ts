/** Sends test deliveries to one receiver, as the service does or over a slow or broken connection. */

import { signatureHeader } from "../contract/headers.js";
import { formatDuration } from "../time/time.js";
import { isTimeout, timedOut } from "../world/webhooks/send.js";
import type { RawRequestOptions, ReceiverAnswer, ReceiverRoute } from "./receiver-route.js";

/** A delivery that a check sends. */
export interface TestDelivery {
  readonly body: string;
  /** Value of the signature header, or null for no header. */
  readonly signature: string | null;
  /** Whether the service could have sent it. */
  readonly genuine: boolean;
}

/** A test delivery and the receiver's answer to it. */
export interface ReceiverExchange {
  /** Id of the check that the delivery belongs to. */
  readonly check: string;
  readonly delivery: TestDelivery;
  /** HTTP status, or null when no answer came. */
  readonly status: number | null;
  /** Real ms that the answer took. */
  readonly duration_ms: number;
  readonly error: string | null;
  readonly timedOut: boolean;
}

const headersOf = ({ signature }: TestDelivery): Record<string, string> => ({
  "content-type": "application/json",
  ...(signature === null ? {} : { [signatureHeader]: signature }),
});

const emptyDelivery: TestDelivery = { body: "", signature: null, genuine: false };

export class ReceiverConnection {
  /** All exchanges so far that the receiver could answer. */
  readonly log: ReceiverExchange[] = [];
  /** Id of the current check. */
  check = "";

  constructor(
    readonly route: ReceiverRoute,
    /** Time limit for an answer, in ms of real time. */
    readonly timeout: number,
  ) {}

  /** Sends a delivery as the service does. */
  async send(delivery: TestDelivery): Promise<ReceiverExchange> {
    return this.#keep(delivery, await this.route.post(headersOf(delivery), delivery.body, this.check));
  }

  /** Sends the body in pieces, over a fifth of the time limit. */
  sendInPieces(delivery: TestDelivery): Promise<ReceiverExchange> {
    return this.#sendRaw(delivery, { pieces: 5, pause: this.timeout / 25 });
  }

  sendAndReadLate(delivery: TestDelivery): Promise<ReceiverExchange> {
    return this.#sendRaw(delivery, { readAfter: this.timeout / 10 });
  }

  get(): Promise<ReceiverExchange> {
    return this.#sendRaw(emptyDelivery, { method: "GET" });
  }

  /** Sends a delivery and closes the connection before an answer can come. The log leaves it out. */
  async sendAndHangUp(delivery: TestDelivery): Promise<void> {
    await this.route.sendRaw(headersOf(delivery), delivery.body, this.check, { hangUp: true });
  }

  async #sendRaw(delivery: TestDelivery, options: RawRequestOptions): Promise<ReceiverExchange> {
    const headers = options.method === "GET" ? {} : headersOf(delivery);
    return this.#keep(delivery, await this.route.sendRaw(headers, delivery.body, this.check, options));
  }

  #keep(delivery: TestDelivery, answer: ReceiverAnswer): ReceiverExchange {
    const { status, duration_ms, error } = answer;
    const late = isTimeout(error);
    const lateAnswer = error === timedOut ? "no answer" : "an answer that did not end";
    const exchange: ReceiverExchange = {
      check: this.check,
      delivery,
      status,
      duration_ms,
      error: late ? `${lateAnswer} within ${formatDuration(this.timeout)}` : error,
      timedOut: late,
    };
    this.log.push(exchange);
    return exchange;
  }
}
