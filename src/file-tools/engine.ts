/** The interface of the file tools' engines, and the errors that a conversion rejects with. */

import type { ConversionReport } from "./conversion-report.js";

/**
 * Converts a file, without access to accounts. Rejects with `UnreadableFileError` if the file cannot be converted. What the
 * result lacks is noted in the report.
 */
export type Engine<Options> = (
  bytes: Uint8Array,
  options: Options,
  report?: ConversionReport,
) => Promise<Uint8Array>;

/** A converted file. */
export interface Conversion {
  bytes: Uint8Array;
  /** From 0 to 1. Null unless the engine rates its result. */
  confidence: number | null;
  /** Parts of the file that the result lacks, such as `2 charts`. Null if none are known. */
  leftOut: string | null;
}

/** The file cannot be converted. The message is one sentence without a full stop: the reason, then what to send instead. */
export class UnreadableFileError extends Error {
  override name = "UnreadableFileError";
}

/** An engine failed for a reason that it did not foresee. The message is the stack of the error. */
export class EngineFailedError extends Error {}

/** The queue of conversions is full or closed. */
export class PoolBusyError extends Error {}
