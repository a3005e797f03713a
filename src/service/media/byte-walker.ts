/** Parses a video's container: a generator yields how many bytes to read or skip next, and fills in the figures. */
import type { FileInspector } from "../../contract/upload.js";

/** Figures of a video, read from its container. */
export interface VideoFigures {
  /** Duration in seconds; null if unknown. */
  duration: number | null;
  /** Total duration of the fragments of a fragmented file, in seconds. */
  fragments: number;
  /** Number of frames of the first video track, or of blocks of all tracks. */
  frames: number | null;
  width: number;
  height: number;
  hasVideo: boolean;
  /** Metadata text in the container, such as encoder and camera. */
  metadata: string;
  bytes: number;
}

export const emptyFigures = (): VideoFigures => ({
  duration: null,
  fragments: 0,
  frames: null,
  width: 0,
  height: 0,
  hasVideo: false,
  metadata: "",
  bytes: 0,
});

/** Maximum number of characters of metadata that are kept. */
const maxMetadataCharacters = 64 * 1024;

export function addMetadata(figures: VideoFigures, texts: Buffer | null): void {
  const room = maxMetadataCharacters - figures.metadata.length;
  if (texts && room > 0) figures.metadata += `${texts.subarray(0, room - 1).toString("latin1")}\n`;
}

// Parses a stream of bytes with a generator that yields how many bytes to read or skip next.

export type ByteRequest = { read: number } | { skip: number };
/** Receives the bytes that it asked to read, or an empty buffer after a skip. */
export type ByteWalk = Generator<ByteRequest, void, Buffer>;

export const read = (bytes: number): ByteRequest => ({ read: bytes });
export const skip = (bytes: number): ByteRequest => ({ skip: bytes });

const noBytes = Buffer.alloc(0);

/** Buffers only the bytes that the walk is currently reading. */
export class ByteWalker<T> implements FileInspector {
  readonly #walk: ByteWalk;
  #request: ByteRequest | null;
  #parts: Buffer[] = [];
  #have = 0;

  /** The walk fills in `figures`. */
  constructor(
    walk: (figures: T) => ByteWalk,
    readonly figures: T,
  ) {
    this.#walk = walk(figures);
    this.#request = this.#next(noBytes);
  }

  see(chunk: Buffer): void {
    let rest = chunk;
    while (this.#request && rest.length > 0) {
      const wanted = "read" in this.#request ? this.#request.read : this.#request.skip;
      const part = rest.subarray(0, wanted - this.#have);
      rest = rest.subarray(part.length);
      this.#have += part.length;
      // Copied, because a slice would keep the whole chunk in memory.
      if ("read" in this.#request) this.#parts.push(Buffer.from(part));
      if (this.#have === wanted) this.#step();
    }
  }

  end(): T {
    return this.figures;
  }

  #step(): void {
    const got = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#have = 0;
    this.#request = this.#next(got);
  }

  /** Returns the next request for at least one byte; null when the walk has ended. */
  #next(got: Buffer): ByteRequest | null {
    for (let { value, done } = this.#walk.next(got); !done; { value, done } = this.#walk.next(noBytes)) {
      if (value && ("read" in value ? value.read : value.skip) > 0) return value;
    }
    return null;
  }
}
