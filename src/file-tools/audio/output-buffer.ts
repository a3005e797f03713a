/** A growing output file, limited to the maximum output size. */
import { checkOutputSize, maxOutputBytes } from "./limits.js";

export class OutputBuffer {
  #bytes: Uint8Array;
  #length = 0;

  /** A good estimate avoids copying. The system allocates memory only when it is used. */
  constructor(expectedBytes: number) {
    this.#bytes = new Uint8Array(Math.ceil(Math.min(expectedBytes, maxOutputBytes)));
  }

  get length(): number {
    return this.#length;
  }

  /** Appends `bytes` bytes and returns them for the caller to fill immediately. */
  reserve(bytes: number): Uint8Array {
    const end = this.#length + bytes;
    checkOutputSize(end);
    if (end > this.#bytes.length) this.#grow(end);
    const reserved = this.#bytes.subarray(this.#length, end);
    this.#length = end;
    return reserved;
  }

  write(part: Uint8Array): void {
    this.reserve(part.length).set(part);
  }

  /** Overwrites bytes at an offset. */
  patch(at: number, part: Uint8Array): void {
    this.#bytes.set(part, at);
  }

  finish(): Uint8Array {
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#length);
  }

  #grow(end: number): void {
    const larger = new Uint8Array(Math.max(end, Math.ceil(this.#bytes.length * 1.5), 65_536));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

export function u32be(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

export function u32le(value: number): Uint8Array {
  return u32be(value).reverse();
}
