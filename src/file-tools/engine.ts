/** The interface of the file tools' engines, and the errors that a conversion rejects with. */

/**
 * Converts a file, without access to accounts. Rejects with `UnreadableFileError` if the file cannot be converted. The
 * parts that the result lacks are noted in the report.
 */
export type Engine<Options> = (
  bytes: Uint8Array,
  options: Options,
  report?: ConversionReport,
) => Promise<Uint8Array>;

/** A converted file. */
export interface Conversion {
  bytes: Uint8Array;
  /** Confidence from 0 to 1. Null unless the engine rates its result. */
  confidence: number | null;
  /** Parts of the file that the result lacks, such as `2 charts`. Null if none are known. */
  leftOut: string | null;
}

/**
 * Thrown when the file cannot be converted. The message is one sentence without a full stop: the reason, then what to
 * send instead.
 */
export class UnreadableFileError extends Error {
  override name = "UnreadableFileError";
}

/** Thrown when an engine failed unexpectedly. The message is the stack of the error. */
export class EngineFailedError extends Error {}

/** Thrown when the queue of conversions is full or closed. */
export class PoolBusyError extends Error {}

/** Names of the parts that a result can lack, in singular and plural. */
const kinds = {
  chart: ["chart", "charts"],
  diagram: ["diagram", "diagrams"],
  drawing: ["page with drawings", "pages with drawings"],
  equation: ["layout of an equation", "layouts of equations"],
  page: ["page", "pages"],
  picture: ["picture", "pictures"],
  shape: ["shape", "shapes"],
} as const;
type LeftOutKind = keyof typeof kinds;

/**
 * Collects what an engine reports besides the converted file: its confidence, and the parts of the file that the result
 * lacks.
 */
export class ConversionReport {
  /** Confidence from 0 to 1. Null unless the engine rates its result. */
  confidence: number | null = null;
  /** Whether the thread has grown so large that it should end after this file. */
  endsThread = false;
  readonly #leftOut = new Map<LeftOutKind, Set<unknown>>();

  /** Notes that the result lacks something. The same source counts once, however often it is read. */
  leaveOut(kind: LeftOutKind, source: unknown): void {
    const sources = this.#leftOut.get(kind) ?? new Set();
    this.#leftOut.set(kind, sources.add(source));
  }

  /** Formats what the result lacks, such as `2 charts, 1 shape`. Null if nothing is known to be missing. */
  describeLeftOut(): string | null {
    const parts = [...this.#leftOut].map(([kind, { size }]) => `${size} ${kinds[kind][size === 1 ? 0 : 1]}`);
    return parts.length === 0 ? null : parts.sort().join(", ");
  }
}
