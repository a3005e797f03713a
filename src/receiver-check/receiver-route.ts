/** The way of test deliveries to the receiver: from this process, unless a caller has another. */
import { once } from "node:events";
import { connect } from "node:net";
import { realNow, timer } from "../time/time.js";
import type { DeliveryAttempt } from "../world/webhooks/delivery.js";
import { lookup } from "../world/webhooks/lookup.js";
import { Sender } from "../world/webhooks/send.js";
import { type RawRequestOptions, type ReceiverAnswer, sendRawRequest } from "./raw-request.js";

/** No connection to this URL can be opened. */
export class ReceiverUnreachable extends Error {
  override name = "ReceiverUnreachable";
}

/** Rejects with ReceiverUnreachable when no connection can be opened within `timeout` ms. */
export async function expectReachable(url: string, timeout: number): Promise<void> {
  const { protocol, hostname, port } = new URL(url);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    lookup,
  });
  const limit = timer(timeout, () => socket.destroy(new Error("no connection in time")));
  try {
    await once(socket, "connect");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ReceiverUnreachable(`nothing listens at ${url} (${code ?? message})`);
  } finally {
    limit.cancel();
    socket.destroy();
  }
}

/** Resolves with whether a connection can be opened within `timeout` ms. */
export const isReachable = (url: string, timeout: number): Promise<boolean> =>
  expectReachable(url, timeout).then(
    () => true,
    () => false,
  );

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
