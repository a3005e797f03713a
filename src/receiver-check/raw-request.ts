/** Sends a request on a connection of its own: in pieces, with its answer read late, or closed before the answer. */
import { once } from "node:events";
import { type ClientRequest, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { finished } from "node:stream/promises";
import { delay, stopwatch, timer } from "../time/time.js";
import { lookup } from "../world/webhooks/lookup.js";
import type { RelayAnswer, RelaySending } from "../world/webhooks/relay.js";
import { firstAnswer, timedOut } from "../world/webhooks/transport.js";

export type RawRequestOptions = Omit<RelaySending, "timeout" | "connectOnly">;

export type ReceiverAnswer = Pick<RelayAnswer, "status" | "error"> & { duration_ms: number };

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
  // A socket may emit another error after the one that ends the request.
  request.on("error", () => {});
  const limit = timer(timeout + pieces * pause + readAfter, () => request.destroy(new Error(timedOut)));
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
    await finished(response.resume());
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
