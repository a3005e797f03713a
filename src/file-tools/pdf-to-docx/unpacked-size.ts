/**
 * Refuses files that would unpack to too much memory, before pdf.js reads them. Streams cannot be nested, so all of them
 * are found in the file's bytes. If a dictionary is ambiguous, each filter that could apply is tried.
 */
import { brotliDecompressSync, constants } from "node:zlib";
import { Unzlib } from "fflate";
import { UnreadableFileError } from "../engine.js";

/** Output of a filter. Keeps the bytes if another filter follows, otherwise only the first chunk, and counts them. */
class FilterOutput {
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

/** Filters by name and abbreviation, without image filters. */
const filters: Readonly<Record<string, Filter>> = {
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

const bytesPerMb = 2 ** 20;
const maxStreamBytes = 160 * bytesPerMb;
const maxUnpackedBytes = 512 * bytesPerMb;
/** Limit per picture. Four bytes per pixel are as many as a stream may have. */
export const maxPagePixels = 40_000_000;
const maxDictionaryBytes = 16_384;

const tooMuchData = (maxPartBytes: number): UnreadableFileError =>
  new UnreadableFileError(
    `it unpacks to more than ${maxUnpackedBytes / bytesPerMb} MB, or a part of it to more than ${maxPartBytes / bytesPerMb} MB; send it in parts or with smaller pictures`,
  );

export function checkUnpackedSize(file: Buffer): void {
  let remaining = maxUnpackedBytes;
  for (const stream of findStreams(file)) {
    const budget = Math.min(remaining, maxStreamBytes);
    const { head, length } = stream.isCertain ? unpack(stream, budget) : unpackWorstCase(stream, budget);
    remaining -= length;
    if (length > budget) throw tooMuchData(maxStreamBytes);
    const mayBeJpeg2000 = !stream.isCertain || stream.filters.includes("JPXDecode");
    const pixels = declaredPixels(stream.dictionary, head);
    if (Math.max(pixels, mayBeJpeg2000 ? jpeg2000Pixels(head) : 0) > maxPagePixels)
      throw new UnreadableFileError(
        `it has a picture of more than ${maxPagePixels / 1e6} megapixels; send smaller pictures`,
      );
  }
}

/** Applies the filters and returns the start of the result and the total bytes that all of them produced. */
function unpack({ filters: names, data }: Pick<PdfStream, "filters" | "data">, budget: number) {
  let head = data;
  let length = 0;
  for (const [index, name] of names.entries()) {
    const filter = filters[name];
    if (!filter || length > budget) break;
    const sink = new FilterOutput(budget - length, index < names.length - 1);
    filter(head, sink);
    length += sink.length;
    head = sink.bytes;
  }
  return { head, length };
}

function unpackWorstCase(stream: PdfStream, budget: number) {
  const outcomes = ["FlateDecode", "LZWDecode", "RunLengthDecode"].map((name) =>
    unpack({ filters: [name], data: stream.data }, budget),
  );
  return { head: stream.data, length: Math.max(...outcomes.map(({ length }) => length)) };
}

interface PdfStream {
  dictionary: string;
  data: Uint8Array;
  filters: string[];
  /** Whether the dictionary declares its filters unambiguously. */
  isCertain: boolean;
}

function* findStreams(file: Buffer): Generator<PdfStream> {
  let earliest = 0;
  for (let at = file.indexOf("stream"); at >= 0; at = file.indexOf("stream", at + 6)) {
    if (file.toString("latin1", at - 3, at) === "end") {
      earliest = at;
      continue;
    }
    const from = Math.max(earliest, at - maxDictionaryBytes, file.lastIndexOf("obj", at));
    const dictionary = file.toString("latin1", from, at);
    const start = nextLineStart(file, at + 6);
    yield {
      dictionary,
      data: file.subarray(start, streamEnd(file, start, dictionary)),
      ...parseFilters(dictionary),
    };
  }
}

/** Returns the start of the line after the keyword `stream`. */
function nextLineStart(file: Buffer, at: number): number {
  while (at < file.length && file[at] !== 13 && file[at] !== 10) at++;
  return file[at] === 13 && file[at + 1] === 10 ? at + 2 : at + 1;
}

/** Returns the later of the declared end and the `endstream` keyword, or the file's end if the length is a reference. */
function streamEnd(file: Buffer, start: number, dictionary: string): number {
  const lengths = [...dictionary.matchAll(/\/Length\s+(\d+)(\s+\d+\s+R)?/g)];
  if (lengths.length === 0 || lengths.some(([, , reference]) => reference)) return file.length;
  const end = file.indexOf("endstream", start);
  const declared = Math.max(...lengths.map(([, length]) => Number(length)));
  return Math.min(file.length, Math.max(end < 0 ? file.length : end, start + declared));
}

function parseFilters(dictionary: string): Pick<PdfStream, "filters" | "isCertain"> {
  const plain = dictionary.replace(/#([0-9A-Fa-f]{2})/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const values = [...plain.matchAll(/\/Filter\s*(\[[^\]]*\]|\/[^\s/<>[\]()]+|\d+\s+\d+\s+R)/g)].map(
    ([, value]) => value as string,
  );
  const names = (values[0] ?? "").matchAll(/\/([^\s/\]]+)/g);
  const mentions = plain.match(/\/Filter\b/g)?.length ?? 0;
  const isCertain = mentions === values.length && values.length <= 1 && !/\d\s+R/.test(values[0] ?? "");
  return { filters: [...names].map(([, name]) => name as string), isCertain };
}

/** Returns the number of pixels in the dictionary or in a JPEG's header, whichever is larger. */
function declaredPixels(dictionary: string, data: Uint8Array): number {
  const width = Number(/\/(?:Width|W)\s+(\d+)/.exec(dictionary)?.[1] ?? 0);
  const height = Number(/\/(?:Height|H)\s+(\d+)/.exec(dictionary)?.[1] ?? 0);
  const pixels = /\/Image\b/.test(dictionary) ? width * height : 0;
  return data[0] === 0xff && data[1] === 0xd8 ? Math.max(pixels, jpegPixels(data)) : pixels;
}

function jpegPixels(data: Uint8Array): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 2; at + 9 < data.length; ) {
    const marker = data[at + 1] as number;
    if (data[at] !== 0xff || marker === 0xff) at++;
    else if (marker >= 0xc0 && marker <= 0xc2) return view.getUint16(at + 5) * view.getUint16(at + 7);
    else at += 2 + view.getUint16(at + 2);
  }
  return 0;
}

/** The markers that begin an image in JPEG 2000, the second of which is followed by its size. */
const jpeg2000Start = Buffer.from("ff4fff51", "hex");

/** Returns the largest number of pixels of an image that begins in the data, of up to four components each. */
function jpeg2000Pixels(data: Uint8Array): number {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  let pixels = 0;
  for (let at = bytes.indexOf(jpeg2000Start); at >= 0; at = bytes.indexOf(jpeg2000Start, at + 1)) {
    if (at + 42 > bytes.length) break;
    const lengthOf = (edge: number) => bytes.readUInt32BE(edge) - bytes.readUInt32BE(edge + 8);
    const components = bytes.readUInt16BE(at + 40);
    pixels = Math.max(pixels, lengthOf(at + 8) * lengthOf(at + 12) * Math.ceil(components / 4));
  }
  return pixels;
}

/** A power of two, as pdf.js doubles its buffers. */
const maxArrayBytes = 128 * bytesPerMb;

/**
 * Runs the work with a bound on the memory that pdf.js unpacks streams into, for encrypted files, whose streams can be
 * measured only once they are decrypted. pdf.js has no option for it, so the global constructors that it uses are replaced
 * while it works. Rejects with `UnreadableFileError` if it would have taken too much memory.
 */
export async function withBoundedArrays<T>(work: () => Promise<T>): Promise<T> {
  const constructors = ["Uint8Array", "DecompressionStream"] as const;
  const originals = constructors.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  let isExceeded = false;
  const allow = (bytes: number): void => {
    if (bytes < bytesPerMb) return;
    isExceeded ||= bytes > maxArrayBytes || process.memoryUsage().arrayBuffers + bytes > maxUnpackedBytes;
    if (isExceeded) throw new RangeError("too much memory");
  };
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, given, newTarget) {
      if (typeof given[0] === "number") allow(given[0]);
      return Reflect.construct(target, given, newTarget);
    },
  });
  // It unpacks outside of arrays. pdf.js does without it.
  Reflect.deleteProperty(globalThis, "DecompressionStream");
  try {
    const result = await work();
    // pdf.js replaces what it cannot read with nothing.
    if (!isExceeded) return result;
  } catch (error) {
    if (!isExceeded) throw error;
  } finally {
    for (const [at, name] of constructors.entries())
      Object.defineProperty(globalThis, name, originals[at] as PropertyDescriptor);
  }
  throw tooMuchData(maxArrayBytes);
}
