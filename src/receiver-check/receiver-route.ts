/** The way of test deliveries to the receiver: from this process, unless a caller has another. */

import { realNow } from "../time/time.js";
import type { DeliveryAttempt } from "../world/webhooks/delivery.js";
import { Sender } from "../world/webhooks/send.js";
import { type RawRequestOptions, type ReceiverAnswer, sendRawRequest } from "./raw-request.js";
import { expectReachable } from "./reachable.js";

type Headers = Readonly<Record<string, string>>;

export interface ReceiverRoute {
  /** Posts a delivery as the service does. */
  post(headers: Headers, body: string, check: string): Promise<ReceiverAnswer>;
  /** Sends a request on a connection of its own. */
  sendRaw(headers: Headers, body: string, check: string, options: RawRequestOptions): Promise<ReceiverAnswer>;
  /** Rejects with ReceiverUnreachable when no connection can be opened. */
  expectReachable(): Promise<void>;
  close(): Promise<void>;
}

export class DirectRoute implements ReceiverRoute {
  readonly #sender: Sender;

  constructor(
    readonly url: string,
    /** Time limit for an answer, in ms of real time. */
    readonly timeout: number,
  ) {
    this.#sender = new Sender(timeout);
  }

  async post(headers: Headers, body: string): Promise<ReceiverAnswer> {
    const attempt = await this.#sender.send({
      account: "",
      endpoint: "receiver",
      url: this.url,
      at: realNow(),
      request: () => ({ headers, body }),
    });
    return attempt as DeliveryAttempt;
  }

  sendRaw(headers: Headers, body: string, _check: string, options: RawRequestOptions) {
    return sendRawRequest(this.url, headers, body, options, this.timeout);
  }

  expectReachable(): Promise<void> {
    return expectReachable(this.url, this.timeout);
  }

  close(): Promise<void> {
    return this.#sender.close();
  }
}
