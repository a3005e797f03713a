/** Long polling: replies that wait until something happens. */
import * as Type from "typebox";
import type { RefusalOptions } from "../contract/errors.js";
import { parseDuration, second, timer } from "../time/time.js";
import type { Waiters } from "../time/waiters.js";

export const timeoutField = Type.Optional(
  Type.String({ examples: ["5s"], description: "Wall-clock time to wait, at most 60s. Default 5s" }),
);

const defaultTimeoutMs = 5 * second;
const maxTimeoutMs = 60 * second;

/** Returns the timeout in ms. */
export function parseTimeout(
  timeout: string | undefined,
  refuse: (code: "validation_error", options?: RefusalOptions) => never,
): number {
  const ms = timeout === undefined ? defaultTimeoutMs : parseDuration(timeout);
  if (ms !== null && ms <= maxTimeoutMs) return ms;
  return refuse("validation_error", {
    param: "timeout",
    message: `timeout must be a duration of at most 60s, such as 5s; got ${JSON.stringify(timeout)}.`,
  });
}

/** Returns the result of `take` as soon as there is one, or undefined on timeout or when the sandbox stops. */
export async function waitFor<T>(
  waiters: Pick<Waiters<{ id: string }>, "ended" | "onNext">,
  take: () => T | undefined | Promise<T | undefined>,
  timeout: number,
): Promise<T | undefined> {
  let waiting = true;
  const limit = { stop: () => {} };
  const over = new Promise<void>((resolve) => {
    const handle = timer(timeout, () => {
      waiting = false;
      resolve();
    });
    limit.stop = () => handle.cancel();
  });
  try {
    for (;;) {
      let stop = () => {};
      // What arrives while `take` looks at many items is not missed.
      const arrival = new Promise<void>((resolve) => {
        stop = waiters.onNext(resolve);
      });
      try {
        const taken = await take();
        if (taken || !waiting || waiters.ended) return taken;
        await Promise.race([arrival, over]);
      } finally {
        stop();
      }
    }
  } finally {
    limit.stop();
  }
}
