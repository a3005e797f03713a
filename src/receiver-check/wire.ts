/** The line to one receiver: deliveries as the service sends them, and as slow or broken lines carry them. */

import { Sender, timedOut } from "../webhooks/send.js";
import { signatureHeader } from "../webhooks/sign.js";
import type { DeliveryAttempt } from "../world/outbox/delivery.js";
import { realNow } from "../world/time/time.js";
import type { Exchange, Post } from "./check.js";
import { formatDuration } from "./duration.js";
import { byHand, type Manner } from "./manners.js";

const headersOf = ({ signature }: Post): Record<string, string> => ({
  "content-type": "application/json",
  ...(signature === null ? {} : { [signatureHeader]: signature }),
});

const nothing: Post = { body: "", signature: null, genuine: false };

export class Wire {
  /** Everything sent so far that a receiver could answer. */
  readonly log: Exchange[] = [];
  /** Id of the check that runs. */
  check = "";
  readonly #sender: Sender;

  constructor(
    readonly url: string,
    /** Real ms that the receiver has for an answer. */
    readonly timeout: number,
  ) {
    this.#sender = new Sender(timeout);
  }

  /** As the service sends. */
  async post(post: Post): Promise<Exchange> {
    const sent = await this.#sender.send({
      endpoint: "receiver",
      url: this.url,
      headers: headersOf(post),
      body: post.body,
      at: realNow(),
      isWanted: () => true,
    });
    return this.#keep(post, sent as DeliveryAttempt);
  }

  /** The body over a fifth of the time that there is. */
  postInPieces(post: Post): Promise<Exchange> {
    return this.#byHand(post, { pieces: 5, pause: this.timeout / 25 });
  }

  readLate(post: Post): Promise<Exchange> {
    return this.#byHand(post, { readAfter: this.timeout / 10 });
  }

  get(): Promise<Exchange> {
    return this.#byHand(nothing, { method: "GET" });
  }

  /** Sends it and closes the line before an answer can come: that is not the receiver's doing, and not in the log. */
  async hangUp(post: Post): Promise<void> {
    await byHand(this.url, headersOf(post), post.body, { hangUp: true }, this.timeout);
  }

  close(): Promise<void> {
    return this.#sender.close();
  }

  async #byHand(post: Post, manner: Manner): Promise<Exchange> {
    const headers = manner.method === "GET" ? {} : headersOf(post);
    return this.#keep(post, await byHand(this.url, headers, post.body, manner, this.timeout));
  }

  #keep(post: Post, answer: Pick<DeliveryAttempt, "status" | "duration_ms" | "error">): Exchange {
    const { status, duration_ms, error } = answer;
    const late = error === timedOut;
    const exchange: Exchange = {
      check: this.check,
      post,
      status,
      duration_ms,
      error: late ? `no answer within ${formatDuration(this.timeout)}` : error,
      timedOut: late,
    };
    this.log.push(exchange);
    return exchange;
  }
}
