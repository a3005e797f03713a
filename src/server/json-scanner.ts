/**
 * Finds the members of JSON objects in bytes, so that a large document can be parsed piece by piece. A parse of the whole in
 * a thread would hold every value of the document at once, and copy each record once more on its way back.
 */

/** Bytes that are looked at in one step. */
const stepBytes = 64 * 1024;

const quote = 34;
const comma = 44;
const colon = 58;
const backslash = 92;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** The bytes are not JSON. */
export class JsonScanError extends Error {}

export class JsonScanner {
  #at = 0;
  /** Number of commas and brackets so far. */
  #values = 0;

  constructor(
    readonly bytes: Buffer,
    readonly maxValues: number,
  ) {
    this.#skipSpace();
  }

  get hasTooManyValues(): boolean {
    return this.#values > this.maxValues;
  }

  get isAtObject(): boolean {
    return this.bytes[this.#at] === openBrace;
  }

  /** Enters an object. Returns its first key, or null when it is empty. */
  enter(): string | null {
    this.#take(openBrace);
    if (this.bytes[this.#at] !== closeBrace) return this.#key();
    this.#take(closeBrace);
    return null;
  }

  /** Called after a member's value: returns the next key, or null at the end of the object. */
  nextKey(): string | null {
    if (this.bytes[this.#at] === closeBrace) {
      this.#take(closeBrace);
      return null;
    }
    this.#take(comma);
    this.#values++;
    return this.#key();
  }

  /** Skips a value in steps, whose inside is not checked. Returns where it is. */
  *skipValue(): Generator<void, { start: number; end: number }> {
    const { bytes } = this;
    const start = this.#at;
    let depth = 0;
    let stepEnd = start + stepBytes;
    do {
      if (this.#at >= bytes.length) throw this.#unexpected();
      const byte = bytes[this.#at];
      if (byte === quote) this.#skipString();
      else {
        if (byte === openBrace || byte === openBracket) depth++;
        else if (byte === closeBrace || byte === closeBracket) depth--;
        if (byte === comma || byte === openBrace || byte === openBracket) this.#values++;
        if (depth < 0) throw this.#unexpected();
        this.#at++;
      }
      if (depth === 0 && byte !== openBrace && byte !== openBracket && this.#isAtEndOfValue()) break;
      if (this.#at < stepEnd) continue;
      stepEnd = this.#at + stepBytes;
      yield;
    } while (!this.hasTooManyValues);
    const end = this.#at;
    this.#skipSpace();
    return { start, end };
  }

  /** Throws unless everything has been read. */
  end(): void {
    if (this.#at < this.bytes.length) throw this.#unexpected();
  }

  #isAtEndOfValue(): boolean {
    const next = this.bytes[this.#at];
    return (
      next === undefined || next === comma || next === closeBrace || next === closeBracket || isSpace(next)
    );
  }

  #key(): string {
    const start = this.#at;
    if (this.bytes[start] !== quote) throw this.#unexpected();
    this.#skipString();
    const key = JSON.parse(this.bytes.toString("utf8", start, this.#at)) as string;
    this.#skipSpace();
    this.#take(colon);
    return key;
  }

  #skipString(): void {
    const { bytes } = this;
    for (let end = bytes.indexOf(quote, this.#at + 1); end !== -1; end = bytes.indexOf(quote, end + 1)) {
      let escapes = 0;
      while (bytes[end - 1 - escapes] === backslash) escapes++;
      if (escapes % 2 === 1) continue;
      this.#at = end + 1;
      return;
    }
    this.#at = bytes.length;
    throw this.#unexpected();
  }

  #take(byte: number): void {
    if (this.bytes[this.#at] !== byte) throw this.#unexpected();
    this.#at++;
    this.#skipSpace();
  }

  #skipSpace(): void {
    while (isSpace(this.bytes[this.#at])) this.#at++;
  }

  #unexpected(): JsonScanError {
    const { bytes } = this;
    return new JsonScanError(
      this.#at < bytes.length
        ? `Unexpected ${JSON.stringify(bytes.toString("latin1", this.#at, this.#at + 1))} at byte ${this.#at}`
        : "Unexpected end of the body",
    );
  }
}
