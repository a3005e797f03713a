/**
 * Collects the buffers of streamed uploads early. V8 would let 32 MB of them pile up; a minor collection of the young
 * generation takes less than a millisecond.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { type: "minor" }) => void;

/** Bytes received between two collections, over all uploads. */
const collectionIntervalBytes = 4 * 1024 * 1024;

let collect: Collect | null = null;
let receivedBytes = 0;

/** Counts received bytes, and collects their buffers from time to time. */
export function collectYoungBuffers(bytes: number): void {
  receivedBytes += bytes;
  if (receivedBytes < collectionIntervalBytes) return;
  receivedBytes = 0;
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
  }
  collect({ type: "minor" });
}
