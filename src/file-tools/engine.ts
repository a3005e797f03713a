/** The interface of the file tools' engines, and the errors that a conversion rejects with. */

/**
 * Converts a file, without access to accounts. Rejects with `UnreadableFileError` if the file cannot be converted. An
 * engine whose result may be wrong calls `rate` with its confidence, 0 to 1.
 */
export type Engine<Options> = (
  bytes: Uint8Array,
  options: Options,
  rate?: (confidence: number) => void,
) => Promise<Uint8Array>;

/** A converted file. `confidence` is null unless the engine rates its result. */
export interface Conversion {
  bytes: Uint8Array;
  confidence: number | null;
}

/** The file cannot be converted. The message is one sentence without a full stop: the reason, then what to send instead. */
export class UnreadableFileError extends Error {
  override name = "UnreadableFileError";
}

/** An engine failed for a reason that it did not foresee. The message is the stack of the error. */
export class EngineFailedError extends Error {}

/** The queue of conversions is full or closed. */
export class PoolBusyError extends Error {}
