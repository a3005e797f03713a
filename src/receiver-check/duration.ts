/** Durations as people read them. */
import { second } from "../world/time/time.js";

/** `12 ms`, `1.5 s`. */
export const formatDuration = (ms: number): string =>
  ms < second ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
