/** One request by hand, on a socket of its own: in pieces, read late, or given up before the answer. */
import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request as plain } from "node:http";
import { request as secure } from "node:https";
import { timedOut } from "../webhooks/send.js";
import type { DeliveryAttempt } from "../world/outbox/delivery.js";
import { delay, stopwatch, timer } from "../world/time/time.js";

export interface Manner {
  method?: "GET" | "POST";
  /** In so many pieces the body goes out, with a pause (ms) after each. */
  pieces?: number;
  pause?: number;
  /** Ms between the answer's head and the reading of its body. */
  readAfter?: number;
  hangUp?: true;
}

type Answer = Pick<DeliveryAttempt, "status" | "duration_ms" | "error">;

export async function byHand(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  manner: Manner,
  timeout: number,
): Promise<Answer> {
  const { method = "POST", pieces = 1, pause = 0, readAfter = 0, hangUp } = manner;
  const bytes = Buffer.from(body);
  const length = method === "GET" ? {} : { "content-length": bytes.length };
  const request = (url.startsWith("https:") ? secure : plain)(url, {
    method,
    headers: { ...headers, ...length },
    agent: false,
  });
  // A socket may fail once more after the first failure has been told.
  request.on("error", () => {});
  const limit = timer(timeout + pieces * pause + readAfter, () => request.destroy(new Error(timedOut)));
  let elapsed = stopwatch();
  const write = async () => {
    await writeInPieces(request, bytes, pieces, pause);
    elapsed = stopwatch();
  };
  const done = (status: number | null, error: string | null): Answer => {
    limit.cancel();
    request.destroy();
    return { status, duration_ms: Math.max(0, Math.round(elapsed()) - readAfter), error };
  };
  try {
    if (hangUp) {
      await Promise.all([once(request, "finish"), write()]);
      return done(null, null);
    }
    const [[response]] = await Promise.all([
      once(request, "response") as Promise<[IncomingMessage]>,
      write(),
    ]);
    await delay(readAfter);
    await Promise.all([once(response, "end"), response.resume()]);
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
