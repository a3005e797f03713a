/** Answers that wait for something to happen, so that nobody has to ask again and again. */
import * as Type from "typebox";
import type { RefusalOptions } from "../contract/errors.js";
import { parseDuration, second, timer } from "../world/time/time.js";
import type { Waiters } from "../world/waiters.js";

export const timeoutField = Type.Optional(
  Type.String({ examples: ["5s"], description: "Real time, at most 60s; default 5s" }),
);

const defaultWait = 5 * second;
const longestWait = 60 * second;

/** Real ms. */
export function timeoutIn(
  timeout: string | undefined,
  refuse: (code: "validation_error", options?: RefusalOptions) => never,
): number {
  const ms = timeout === undefined ? defaultWait : parseDuration(timeout);
  if (ms !== null && ms <= longestWait) return ms;
  return refuse("validation_error", {
    param: "timeout",
    message: `timeout must be a duration of at most 60s, such as 5s; got ${JSON.stringify(timeout)}.`,
  });
}

/** What `take` finds, as soon as it finds something; undefined when the time is over or the sandbox stops. */
export async function next<T extends { id: string }>(
  waiters: Waiters<T>,
  take: () => T | undefined,
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
      const taken = take();
      if (taken || !waiting || waiters.ended) return taken;
      let stop = () => {};
      const arrival = new Promise<void>((resolve) => {
        stop = waiters.onNext(resolve);
      });
      await Promise.race([arrival, over]);
      stop();
    }
  } finally {
    limit.stop();
  }
}
