/** Decodes PDF stream filters up to a budget of bytes, to measure what a file unpacks to before pdf.js reads it. */
import { brotliDecompressSync, constants } from "node:zlib";
import { Unzlib } from "fflate";

/** Output of a filter. Keeps the bytes if another filter follows, otherwise only the first chunk, and counts them. */
export class FilterOutput {
  #chunks: Uint8Array[] = [];
  length = 0;

  constructor(
    readonly budget: number,
    readonly keep: boolean,
  ) {}

  get isFull(): boolean {
    return this.length > this.budget;
  }

  push(chunk: Uint8Array): void {
    if (this.keep || this.length === 0) this.#chunks.push(chunk.slice());
    this.length += chunk.length;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }
}

/** Decodes until the end, the first damage, or the budget. */
type Filter = (bytes: Uint8Array, sink: FilterOutput) => void;

/** Input per step. A step inflates to at most a thousand times as much. */
const inflateChunkBytes = 32_768;

const flate: Filter = (bytes, sink) => {
  const inflate = new Unzlib((chunk) => sink.push(chunk));
  try {
    for (let at = 0; at < bytes.length && !sink.isFull; at += inflateChunkBytes)
      inflate.push(bytes.subarray(at, at + inflateChunkBytes), at + inflateChunkBytes >= bytes.length);
  } catch {
    // The bytes before the damage count.
  }
};

const brotli: Filter = (bytes, sink) => {
  try {
    sink.push(
      brotliDecompressSync(bytes, {
        maxOutputLength: sink.budget + 1,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      }),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") sink.length = sink.budget + 1;
  }
};

/** Codes of 9 to 12 bits, most significant bit first, with an early change of width. */
const lzw: Filter = (bytes, sink) => {
  let table: Uint8Array[] = [];
  let previous: Uint8Array | null = null;
  let [bits, held, width] = [0, 0, 9];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xff_ffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === 257 || sink.isFull) break;
    if (code === 256) {
      [table, previous, width] = [[], null, 9];
      continue;
    }
    const known: Uint8Array | undefined = code < 256 ? Uint8Array.of(code) : table[code - 258];
    const next: Uint8Array | null = known ?? (previous && Buffer.concat([previous, previous.subarray(0, 1)]));
    if (!next) break;
    if (previous && table.length < 3838) table.push(Buffer.concat([previous, next.subarray(0, 1)]));
    sink.push(next);
    previous = next;
    const codes = table.length + 259;
    width = codes >= 2048 ? 12 : codes >= 1024 ? 11 : codes >= 512 ? 10 : 9;
  }
};

const runLength: Filter = (bytes, sink) => {
  for (let at = 0; at < bytes.length && !sink.isFull; ) {
    const length = bytes[at] as number;
    if (length === 128) break;
    const isLiteral = length < 128;
    if (isLiteral) sink.push(bytes.subarray(at + 1, at + 2 + length));
    else sink.push(new Uint8Array(257 - length).fill(bytes[at + 1] ?? 0));
    at += isLiteral ? length + 2 : 2;
  }
};

const asciiUntil = (bytes: Uint8Array, end: string): string =>
  (Buffer.from(bytes).toString("latin1").split(end, 1)[0] ?? "").replace(/\s+/g, "");

const asciiHex: Filter = (bytes, sink) => sink.push(Buffer.from(asciiUntil(bytes, ">"), "hex"));

const ascii85: Filter = (bytes, sink) => {
  const out: number[] = [];
  for (const [group] of asciiUntil(bytes, "~")
    .replaceAll("z", "!!!!!")
    .matchAll(/.{1,5}/g)) {
    let value = 0;
    for (const digit of group.padEnd(5, "u")) value = value * 85 + digit.charCodeAt(0) - 33;
    for (let byte = 0; byte < group.length - 1; byte++) out.push(Math.floor(value / 256 ** (3 - byte)) & 255);
  }
  sink.push(Uint8Array.from(out));
};

/** Filters by name and abbreviation, without those of images. */
export const filters: Readonly<Record<string, Filter>> = {
  FlateDecode: flate,
  Fl: flate,
  LZWDecode: lzw,
  LZW: lzw,
  RunLengthDecode: runLength,
  RL: runLength,
  BrotliDecode: brotli,
  ASCIIHexDecode: asciiHex,
  AHx: asciiHex,
  ASCII85Decode: ascii85,
  A85: ascii85,
};
