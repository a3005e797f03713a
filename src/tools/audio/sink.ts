/** An output file as it grows. */
import { checkSize, mostBytes } from "./limits.js";

export class Sink {
  #bytes: Uint8Array;
  #length = 0;

  /** A right guess spares copying: what is reserved and not used costs no memory yet. */
  constructor(expectedBytes: number) {
    this.#bytes = new Uint8Array(Math.ceil(Math.min(expectedBytes, mostBytes)));
  }

  get length(): number {
    return this.#length;
  }

  /** Room for so many bytes more, to be filled at once. */
  room(bytes: number): Uint8Array {
    const end = this.#length + bytes;
    checkSize(end);
    if (end > this.#bytes.length) this.#grow(end);
    const room = this.#bytes.subarray(this.#length, end);
    this.#length = end;
    return room;
  }

  write(part: Uint8Array): void {
    this.room(part.length).set(part);
  }

  /** Over what was written before. */
  patch(at: number, part: Uint8Array): void {
    this.#bytes.set(part, at);
  }

  whole(): Uint8Array {
    return this.#length === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#length);
  }

  #grow(end: number): void {
    const larger = new Uint8Array(Math.max(end, Math.ceil(this.#bytes.length * 1.5), 65_536));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

export function u32be(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

export function u32le(value: number): Uint8Array {
  return u32be(value).reverse();
}
