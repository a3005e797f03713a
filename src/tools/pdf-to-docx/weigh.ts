/**
 * Refuses what would unpack to more than there is memory for, before it is read. Streams cannot lie within streams, so
 * the file's bytes show them all; where a dictionary leaves doubt, each filter that could apply is tried.
 */
import { UnreadableFileError } from "../engine.js";
import { filters, Sink } from "./unpack.js";

const MB = 2 ** 20;
/** Bytes of one stream, and of all together. */
const longestStream = 160 * MB;
const mostUnpacked = 512 * MB;
/** Of one picture: of four bytes each, they are as many as a stream may have. */
export const mostPixels = 40_000_000;
const longestDictionary = 16_384;

export function weigh(file: Buffer): void {
  let left = mostUnpacked;
  for (const stream of streamsOf(file)) {
    const budget = Math.min(left, longestStream);
    const { head, length } = stream.certain ? unpack(stream, budget) : worstOf(stream, budget);
    left -= length;
    if (length > budget)
      throw new UnreadableFileError(
        `it unpacks to more than ${mostUnpacked / MB} MB, or a part of it to more than ${longestStream / MB} MB; send it in parts or with smaller pictures`,
      );
    if (pixelsOf(stream.dictionary, head) > mostPixels)
      throw new UnreadableFileError(
        `it has a picture of more than ${mostPixels / 1e6} megapixels; send smaller pictures`,
      );
  }
}

/** What the stream's own filters make of it: its beginning, and the bytes that all of them put out. */
function unpack({ filters: names, data }: Pick<Stream, "filters" | "data">, budget: number) {
  let head = data;
  let length = 0;
  for (const [index, name] of names.entries()) {
    const filter = filters[name];
    if (!filter || length > budget) break;
    const sink = new Sink(budget - length, index < names.length - 1);
    filter(head, sink);
    length += sink.length;
    head = sink.bytes;
  }
  return { head, length };
}

function worstOf(stream: Stream, budget: number) {
  const outcomes = ["FlateDecode", "LZWDecode", "RunLengthDecode"].map((name) =>
    unpack({ filters: [name], data: stream.data }, budget),
  );
  return { head: stream.data, length: Math.max(...outcomes.map(({ length }) => length)) };
}

interface Stream {
  dictionary: string;
  data: Uint8Array;
  filters: string[];
  /** Whether the dictionary says its filters plainly, and once. */
  certain: boolean;
}

function* streamsOf(file: Buffer): Generator<Stream> {
  let earliest = 0;
  for (let at = file.indexOf("stream"); at >= 0; at = file.indexOf("stream", at + 6)) {
    if (file.toString("latin1", at - 3, at) === "end") {
      earliest = at;
      continue;
    }
    const from = Math.max(earliest, at - longestDictionary, file.lastIndexOf("obj", at));
    const dictionary = file.toString("latin1", from, at);
    const start = afterLine(file, at + 6);
    yield {
      dictionary,
      data: file.subarray(start, endOf(file, start, dictionary)),
      ...filtersOf(dictionary),
    };
  }
}

/** Readers skip the rest of the line. */
function afterLine(file: Buffer, at: number): number {
  while (at < file.length && file[at] !== 13 && file[at] !== 10) at++;
  return file[at] === 13 && file[at + 1] === 10 ? at + 2 : at + 1;
}

/** The later of what the length says and where the keyword stands; where the length is elsewhere, the file's end. */
function endOf(file: Buffer, start: number, dictionary: string): number {
  const lengths = [...dictionary.matchAll(/\/Length\s+(\d+)(\s+\d+\s+R)?/g)];
  if (lengths.length === 0 || lengths.some(([, , reference]) => reference)) return file.length;
  const end = file.indexOf("endstream", start);
  const longest = Math.max(...lengths.map(([, length]) => Number(length)));
  return Math.min(file.length, Math.max(end < 0 ? file.length : end, start + longest));
}

function filtersOf(dictionary: string): Pick<Stream, "filters" | "certain"> {
  const plain = dictionary.replace(/#([0-9A-Fa-f]{2})/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const said = [...plain.matchAll(/\/Filter\s*(\[[^\]]*\]|\/[^\s/<>[\]()]+|\d+\s+\d+\s+R)/g)].map(
    ([, value]) => value as string,
  );
  const named = (said[0] ?? "").matchAll(/\/([^\s/\]]+)/g);
  const mentions = plain.match(/\/Filter\b/g)?.length ?? 0;
  const isPlain = mentions === said.length && said.length <= 1 && !/\d\s+R/.test(said[0] ?? "");
  return { filters: [...named].map(([, name]) => name as string), certain: isPlain };
}

/** The larger of what the dictionary and what a JPEG itself says. */
function pixelsOf(dictionary: string, data: Uint8Array): number {
  const width = Number(/\/(?:Width|W)\s+(\d+)/.exec(dictionary)?.[1] ?? 0);
  const height = Number(/\/(?:Height|H)\s+(\d+)/.exec(dictionary)?.[1] ?? 0);
  const said = /\/Image\b/.test(dictionary) ? width * height : 0;
  return data[0] === 0xff && data[1] === 0xd8 ? Math.max(said, jpegPixels(data)) : said;
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
