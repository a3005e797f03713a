/** Sends test deliveries to the receiver, by default from this process. */
import { once } from "node:events";
import { type ClientRequest, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { finished } from "node:stream/promises";
import { firstAnswer, lookup, toAnswerError } from "../contract/http-answer.js";
import { delay, realNow, stopwatch, timer } from "../time/time.js";
import type { DeliveryAttempt } from "../world/webhooks/delivery.js";
import type { RelayAnswer, RelaySending } from "../world/webhooks/relay.js";
import { Sender, timedOut, unended } from "../world/webhooks/send.js";

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
  /** Sends a request on a separate connection. */
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
      now: realNow,
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

export type RawRequestOptions = Omit<RelaySending, "timeout" | "connectOnly">;

export type ReceiverAnswer = Pick<RelayAnswer, "status" | "error"> & { duration_ms: number };

/** Sends a request on a separate connection: in pieces, with its answer read late, or closed before the answer. */
export async function sendRawRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  options: RawRequestOptions,
  timeout: number,
): Promise<ReceiverAnswer> {
  const { method = "POST", pieces = 1, pause = 0, readAfter = 0, hangUp } = options;
  const bytes = Buffer.from(body);
  const length = method === "GET" ? {} : { "content-length": bytes.length };
  const request = (url.startsWith("https:") ? httpsRequest : httpRequest)(url, {
    method,
    headers: { ...headers, ...length },
    agent: false,
    lookup,
  });
  // A socket may emit another error after the error that ends the request.
  request.on("error", () => {});
  let isLate = false;
  const limit = timer(timeout + pieces * pause + readAfter, () => {
    isLate = true;
    request.destroy(new Error(timedOut));
  });
  let elapsed = stopwatch();
  const write = async () => {
    await writeInPieces(request, bytes, pieces, pause);
    elapsed = stopwatch();
  };
  const done = (status: number | null, error: string | null): ReceiverAnswer => {
    limit.cancel();
    request.destroy();
    return { status, duration_ms: Math.max(0, Math.round(elapsed()) - readAfter), error };
  };
  try {
    if (hangUp) {
      await Promise.all([once(request, "finish"), write()]);
      return done(null, null);
    }
    const [response] = await Promise.all([firstAnswer(request), write()]);
    await delay(readAfter);
    await finished(response.resume()).catch((error: Error) => {
      throw isLate ? new Error(unended) : toAnswerError(error, true);
    });
    return done(response.statusCode ?? null, null);
  } catch (error) {
    return done(null, (error as Error).message);
  }
}

async function writeInPieces(
  request: ClientRequest,
  bytes: Buffer,
  pieces: number,
  pause: number,
): Promise<void> {
  const size = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length && !request.destroyed; at += size) {
    request.write(bytes.subarray(at, at + size));
    if (pause > 0) await delay(pause);
  }
  request.end();
}
