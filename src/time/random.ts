/** Seeded random numbers (sfc32): the same seed gives the same ids, codes and choices on any machine. */
import { createHash, randomBytes } from "node:crypto";

export type RandomState = readonly [number, number, number, number];

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor([a, b, c, counter]: RandomState) {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
  }

  static seeded(...parts: readonly string[]): Random {
    const hash = createHash("sha256").update(parts.join("\0")).digest();
    const random = new Random([hash.readInt32LE(0), hash.readInt32LE(4), hash.readInt32LE(8), 1]);
    for (let i = 0; i < 12; i++) random.bits();
    return random;
  }

  get state(): RandomState {
    return [this.#a, this.#b, this.#c, this.#counter];
  }

  set state([a, b, c, counter]: RandomState) {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
  }

  /** Returns 32 random bits as an unsigned integer. */
  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return this.bits() / 2 ** 32;
  }

  /** Returns an integer from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  /** Returns `length` decimal digits, never all zeros. */
  digits(length: number): string {
    let text = "";
    while (text.length < length) text += this.integer(0, 9);
    return /^0+$/.test(text) ? this.digits(length) : text;
  }

  /** Returns an id such as `phv_…`: the prefix and 20 base 32 characters, which are 100 random bits. */
  id(prefix: string): string {
    return prefix + this.letters(20);
  }

  letters(length: number): string {
    const codes: number[] = [];
    let pool = 0;
    for (let i = 0; i < length; i++) {
      if (i % 6 === 0) pool = this.bits();
      codes.push(alphabet.charCodeAt(pool & 31));
      pool >>>= 5;
    }
    return String.fromCharCode(...codes);
  }
}

/** Returns unseeded random bytes as hex, for values that must differ between runs, such as keys of test accounts. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString("hex");
