/**
 * Refuses files that would unpack to too much memory, before pdf.js reads them. Streams cannot be nested, so all of them
 * are found in the file's bytes. If a dictionary is ambiguous, each filter that could apply is tried.
 */
import { UnreadableFileError } from "../engine.js";
import { FilterOutput, filters } from "./stream-filters.js";

export const bytesPerMb = 2 ** 20;
const maxStreamBytes = 160 * bytesPerMb;
export const maxUnpackedBytes = 512 * bytesPerMb;
/** Limit per picture. Four bytes per pixel are as many as a stream may have. */
export const maxPagePixels = 40_000_000;
const maxDictionaryBytes = 16_384;

export const tooMuchData = (maxPartBytes: number): UnreadableFileError =>
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
