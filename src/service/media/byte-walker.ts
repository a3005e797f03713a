/** Walks over bytes that stream by: a generator says how many it wants to read or to let go. */
import type { FileInspector } from "../../contract/upload.js";

export type Want = { read: number } | { skip: number };
/** Gets what it asked to read; an empty buffer after a skip. */
export type Walk = Generator<Want, void, Buffer>;

export const read = (bytes: number): Want => ({ read: bytes });
export const skip = (bytes: number): Want => ({ skip: bytes });

const nothing = Buffer.alloc(0);

/** Nothing is kept but what the walk is reading at the moment. */
export class ByteWalker<T> implements FileInspector {
  readonly #walk: Walk;
  #want: Want | null;
  #parts: Buffer[] = [];
  #have = 0;

  /** `seen` is what the walk fills. */
  constructor(
    walk: (seen: T) => Walk,
    readonly seen: T,
  ) {
    this.#walk = walk(seen);
    this.#want = this.#next(nothing);
  }

  see(chunk: Buffer): void {
    let rest = chunk;
    while (this.#want && rest.length > 0) {
      const wanted = "read" in this.#want ? this.#want.read : this.#want.skip;
      const part = rest.subarray(0, wanted - this.#have);
      rest = rest.subarray(part.length);
      this.#have += part.length;
      // A copy: a small part would keep the whole chunk in memory.
      if ("read" in this.#want) this.#parts.push(Buffer.from(part));
      if (this.#have === wanted) this.#step();
    }
  }

  end(): T {
    return this.seen;
  }

  #step(): void {
    const got = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#have = 0;
    this.#want = this.#next(got);
  }

  /** The next want that is for any bytes at all; null when the walk is over. */
  #next(got: Buffer): Want | null {
    for (let { value, done } = this.#walk.next(got); !done; { value, done } = this.#walk.next(nothing)) {
      if (value && ("read" in value ? value.read : value.skip) > 0) return value;
    }
    return null;
  }
}
