/** Parses a stream of bytes with a generator that yields how many bytes to read or skip next. */
import type { FileInspector } from "../../contract/upload.js";

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

  /** `figures` is filled in by the walk. */
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
