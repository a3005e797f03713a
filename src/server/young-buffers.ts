/**
 * Buffers that streamed by lie about until V8 feels 32 MB of them. An upload of hundreds of megabytes has them collected
 * on its way: a young collection takes less than a millisecond.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { type: "minor" }) => void;

/** Bytes between two collections, all uploads together. */
const interval = 4 * 1024 * 1024;

let collect: Collect | null = null;
let seen = 0;

export function passYoungBuffer(bytes: number): void {
  seen += bytes;
  if (seen < interval) return;
  seen = 0;
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as Collect;
  }
  collect({ type: "minor" });
}
