/** What nobody asks for and everybody needs: idle accounts leave memory, long journals are folded. */
import type { Store } from "./world/store/store.js";
import { minute, second, timer } from "./world/time/time.js";
import type { World } from "./world/world.js";

/** Accounts that nobody has used for so long leave memory. */
const idleAfter = 5 * minute;
const everyMinute = "* * * * *";
/** node-cron is loaded once the start is over. */
const settleIn = 1 * second;

export interface Housekeeping {
  stop(): void;
}

export function startHousekeeping(world: World, store: Store, warn: (message: string) => void): Housekeeping {
  let stopTask = () => {};
  const tidy = async () => {
    world.evict(idleAfter);
    await store.compact();
  };
  const begin = async () => {
    const { schedule } = await import("node-cron");
    const task = schedule(everyMinute, () => tidy().catch((error) => warn(String(error))), {
      noOverlap: true,
    });
    stopTask = () => void task.stop();
  };
  const start = timer(settleIn, () => {
    begin().catch((error) => warn(`housekeeping could not start (${error})`));
  });
  return {
    stop() {
      start.cancel();
      stopTask();
    },
  };
}
