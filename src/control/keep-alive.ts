/** Keeps streams of server-sent events open: proxies close connections on which nothing is sent. */
import { second, timer } from "../time/time.js";

const heartbeatMs = 15 * second;

/** Calls `write` with a comment every 15 s of wall-clock time. Returns a function that ends this. */
export function keepAlive(write: (comment: string) => void): () => void {
  const beat = () =>
    timer(heartbeatMs, () => {
      write(":\n\n");
      next = beat();
    });
  let next = beat();
  return () => next.cancel();
}
