/**
 * Gives the memory of deleted and evicted records back to the system. V8 collects most garbage only when much more is
 * allocated, so that an idle sandbox would keep what it had at its largest.
 */
import { getHeapStatistics } from "node:v8";
import { realNow, second, timer } from "../time/time.js";

/** Numbers of accounts and records in memory. */
export interface InMemory {
  readonly accounts: number;
  readonly records: number;
}

/** Upper estimates of what is in use, in bytes. */
const programBytes = 40_000_000;
const bytesPerAccount = 50_000;
const bytesPerRecord = 2_500;

/** Heap in bytes up to which nothing is collected: a user would not notice. */
const smallHeapBytes = 80_000_000;
/** Factor by which the heap has to exceed what is in use. */
const garbageFactor = 2;

/**
 * Returns whether most of the heap is garbage. `leftBytes` is what the last collection has left; unless the heap has doubled
 * since, another one would leave as much.
 */
export const isMostlyGarbage = (
  heapBytes: number,
  { accounts, records }: InMemory,
  leftBytes: number,
): boolean =>
  heapBytes > smallHeapBytes &&
  heapBytes > garbageFactor * (programBytes + accounts * bytesPerAccount + records * bytesPerRecord) &&
  heapBytes > garbageFactor * leftBytes;

/** Collects all garbage. The process waits for that long: about 1 ms for each MB in use. */
export async function collectGarbage(): Promise<void> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}

/** Interval of the checks, and time without a request before a collection, in ms. */
const checkIntervalMs = 5 * second;

interface Accounts {
  accounts(): Iterable<{ readonly lastUsed: number; readonly state: { readonly recordCount: number } }>;
}

/** Collects garbage whenever the sandbox is idle and its heap is mostly that. Ends with the process. */
export function returnMemory(world: Accounts): void {
  let leftBytes = 0;
  const check = async (): Promise<void> => {
    const inMemory = { accounts: 0, records: 0 };
    let lastUsed = 0;
    for (const account of world.accounts()) {
      inMemory.accounts++;
      inMemory.records += account.state.recordCount;
      lastUsed = Math.max(lastUsed, account.lastUsed);
    }
    if (realNow() - lastUsed < checkIntervalMs) return;
    const heapBytes = getHeapStatistics().used_heap_size;
    if (!isMostlyGarbage(heapBytes, inMemory, leftBytes)) return;
    await collectGarbage();
    leftBytes = getHeapStatistics().used_heap_size;
  };
  const next = (): void => {
    timer(checkIntervalMs, () => {
      // Without an inspector, Node collects when it sees fit.
      void check().then(next, () => {});
    });
  };
  next();
}
