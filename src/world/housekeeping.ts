/** Background housekeeping: evicts idle accounts from memory and compacts long journals, and deletes unused accounts. */

import { minute, realNow, second, timer } from "../time/time.js";
import type { Store } from "./store/store.js";
import type { Expiry, World } from "./world.js";

/** Ms without a request after which an account is evicted. */
const evictionIdleMs = 5 * minute;
const everyMinute = "* * * * *";
/** Delay in ms before node-cron is loaded, to keep it out of the start. */
const startDelayMs = 1 * second;

export interface Housekeeping {
  /** Starts no further work and waits for work in progress, so that the store can be closed afterwards. */
  stop(): Promise<void>;
}

/** Delay before the first search for jobs that fell due while no process ran, in ms of wall-clock time. */
const firstWakeMs = 50;
/** Interval in ms at which replicas look for due accounts that none of them has. */
const wakeIntervalMs = 1 * second;

/** Schedules jobs that fell due while no process ran, and on a shared store the jobs of accounts that no replica has. */
export function startWaking(world: World, store: Store, warn: (message: string) => void): Housekeeping {
  let isStopped = false;
  let reported = "";
  let waking = Promise.resolve();
  const wake = async () => {
    const problem = await world.wake().then(
      () => "",
      (error: unknown) => `due jobs cannot be found (${error instanceof Error ? error.message : error})`,
    );
    if (problem !== "" && problem !== reported) warn(problem);
    reported = problem;
    if (store.cluster && !isStopped) next = timer(wakeIntervalMs, begin);
  };
  const begin = () => {
    waking = wake();
  };
  let next = timer(firstWakeMs, begin);
  return {
    async stop() {
      isStopped = true;
      next.cancel();
      await waking;
    },
  };
}

/** Number of searches for unused accounts per time to live. Each search reads the whole store. */
const expiryRunsPerTtl = 24;

export function startHousekeeping(
  world: World,
  store: Store,
  expiry: Expiry | null,
  warn: (message: string) => void,
): Housekeeping {
  let stopTask = () => {};
  let starting = Promise.resolve();
  let running = Promise.resolve();
  let nextExpiry = 0;
  const run = async () => {
    world.evict(evictionIdleMs);
    if (expiry && realNow() >= nextExpiry) {
      nextExpiry = realNow() + expiry.ttl / expiryRunsPerTtl;
      await world.expire(expiry);
    }
    await store.compact();
  };
  const begin = async () => {
    const { schedule } = await import("node-cron");
    const runTask = () => {
      running = run().catch((error) => warn(String(error)));
      return running;
    };
    const task = schedule(everyMinute, runTask, { noOverlap: true });
    stopTask = () => void task.stop();
  };
  const start = timer(startDelayMs, () => {
    starting = begin().catch((error) => warn(`housekeeping could not start (${error})`));
  });
  return {
    async stop() {
      start.cancel();
      await starting;
      stopTask();
      await running;
    },
  };
}
