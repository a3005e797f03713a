/** Rewraps the uncompressed audio of AIFF and CAF as WAV, with its tags. */
import { UnsupportedCodecError } from "./codecs.js";
import { readChunks, riffChunk, u32le } from "./riff.js";
import { infoChunk, type Tags } from "./tags.js";

/** What the headers of an AIFF or CAF declare, and its samples. */
interface PcmFile {
  encoding: Encoding;
  channels: number;
  rate: number;
  bits: number;
  /** Declared size of the samples in bytes, which may exceed that of `samples`. */
  size: number;
  samples: Buffer;
  tags: Tags;
  id3: Buffer | null;
}

interface Encoding {
  /** Format tag in WAV. */
  tag: number;
  isLittle: boolean;
}

const [integer, float, alaw, ulaw] = [1, 3, 6, 7];

/** By compression type of AIFC. Other AIFF is big-endian PCM. */
const encodings: Readonly<Record<string, Encoding>> = {
  NONE: { tag: integer, isLittle: false },
  twos: { tag: integer, isLittle: false },
  in24: { tag: integer, isLittle: false },
  in32: { tag: integer, isLittle: false },
  sowt: { tag: integer, isLittle: true },
  fl32: { tag: float, isLittle: false },
  fl64: { tag: float, isLittle: false },
  alaw: { tag: alaw, isLittle: false },
  ulaw: { tag: ulaw, isLittle: false },
};

const nameAt = (bytes: Buffer, at: number): string => bytes.toString("latin1", at, at + 4);

/** Reads the 80-bit floating-point number of a sample rate. */
const readExtended = (bytes: Buffer, at: number): number =>
  bytes.readUInt32BE(at + 2) * 2 ** ((bytes.readUInt16BE(at) & 0x7fff) - 16_383 - 31);

function readAiff(file: Buffer): PcmFile | null {
  const chunks = new Map([...readChunks(file, true)].map((chunk) => [chunk.id, chunk]));
  const common = chunks.get("COMM")?.body;
  const sound = chunks.get("SSND");
  if (!common || common.length < 18 || !sound || sound.body.length < 8) return null;
  const name = nameAt(file, 8) === "AIFC" && common.length >= 22 ? nameAt(common, 18) : "NONE";
  const encoding = encodings[name] ?? encodings[name.toLowerCase()];
  if (!encoding) throw new UnsupportedCodecError("aiff", `${JSON.stringify(name.trim())} audio`);
  const offset = 8 + sound.body.readUInt32BE(0);
  const textOf = (id: string) => chunks.get(id)?.body.toString("utf8").replace(/\0+$/, "") ?? "";
  return {
    encoding,
    channels: common.readUInt16BE(0),
    rate: readExtended(common, 8),
    bits: encoding.tag === alaw || encoding.tag === ulaw ? 8 : common.readUInt16BE(6),
    size: sound.size - offset,
    samples: sound.body.subarray(offset),
    tags: {
      title: textOf("NAME"),
      artist: textOf("AUTH"),
      copyright: textOf("(c) "),
      comment: textOf("ANNO"),
    },
    id3: chunks.get("ID3 ")?.body ?? null,
  };
}

const cafHeaderBytes = 8;
/** Size of a data chunk that extends to the end of the file. */
const unknownSize = -1n;

/** Reads the chunks of a CAF by name. */
function cafChunks(file: Buffer): Map<string, { size: number; body: Buffer }> {
  const chunks = new Map<string, { size: number; body: Buffer }>();
  for (let at = cafHeaderBytes; at + 12 <= file.length; ) {
    const declared = file.readBigInt64BE(at + 4);
    const size = declared === unknownSize ? file.length - at - 12 : Math.max(0, Number(declared));
    chunks.set(nameAt(file, at), { size, body: file.subarray(at + 12, at + 12 + size) });
    at += 12 + size;
  }
  return chunks;
}

/** Reads the texts of CAF's information chunk: a count, then keys and values. */
function cafTags(body: Buffer | undefined): Tags {
  const texts = body?.toString("utf8", 4).split("\0") ?? [];
  const textOf = (key: string): string =>
    texts[texts.findIndex((text, at) => at % 2 === 0 && text === key) + 1] ?? "";
  const names = ["title", "artist", "album", "genre", "composer", "copyright"] as const;
  return Object.fromEntries(names.filter((name) => texts.includes(name)).map((name) => [name, textOf(name)]));
}

const [floatFlag, littleFlag] = [1, 2];
const editCountBytes = 4;

function readCaf(file: Buffer): PcmFile | null {
  const chunks = cafChunks(file);
  const description = chunks.get("desc")?.body;
  const data = chunks.get("data");
  if (!description || description.length < 32 || !data) return null;
  const [name, flags] = [nameAt(description, 8), description.readUInt32BE(12)];
  const linear = { tag: flags & floatFlag ? float : integer, isLittle: (flags & littleFlag) !== 0 };
  const encoding = name === "lpcm" ? linear : /^[au]law$/.test(name) ? encodings[name] : undefined;
  if (!encoding) throw new UnsupportedCodecError("caf", `${JSON.stringify(name.trim())} audio`);
  return {
    encoding,
    rate: description.readDoubleBE(0),
    channels: description.readUInt32BE(24),
    bits: name === "lpcm" ? description.readUInt32BE(28) : 8,
    size: data.size - editCountBytes,
    samples: data.body.subarray(editCountBytes),
    tags: cafTags(chunks.get("info")?.body),
    id3: null,
  };
}

/** Returns the samples as WAV has them: little-endian, and unsigned if they are integers of 8 bits. */
function toWavSamples(samples: Buffer, width: number, { tag, isLittle }: Encoding): Buffer {
  const copy = Buffer.from(samples.subarray(0, samples.length - (samples.length % width)));
  if (width === 1 && tag === integer) return copy.map((sample) => sample ^ 0x80) as Buffer;
  if (isLittle || width === 1) return copy;
  for (let at = 0; at < copy.length; at += width) copy.subarray(at, at + width).reverse();
  return copy;
}

/** Limits a number from a header, which may be anything, to unsigned bytes. */
const limited = (value: number, bytes: number): number =>
  Math.min(Math.max(0, Math.round(value)), 2 ** (8 * bytes) - 1) || 0;

function toWav({ encoding, channels, rate, bits, size, samples, tags, id3 }: PcmFile): Buffer {
  const width = Math.ceil(bits / 8);
  const format = Buffer.alloc(16);
  format.writeUInt16LE(encoding.tag, 0);
  format.writeUInt16LE(limited(channels, 2), 2);
  format.writeUInt32LE(limited(rate, 4), 4);
  format.writeUInt32LE(limited(rate * channels * width, 4), 8);
  format.writeUInt16LE(limited(channels * width, 2), 12);
  format.writeUInt16LE(limited(width * 8, 2), 14);
  const content = Buffer.concat([
    Buffer.from("WAVE"),
    riffChunk("fmt ", format),
    id3 ? riffChunk("id3 ", id3) : Buffer.alloc(0),
    infoChunk(tags),
    Buffer.from("data"),
    u32le(limited(size, 4)),
    toWavSamples(samples, width || 1, encoding),
  ]);
  return Buffer.concat([Buffer.from("RIFF"), u32le(content.length), content]);
}

/** Returns an AIFF or CAF as WAV, or null for other files. Throws `UnsupportedCodecError` if the audio is not PCM. */
export function rewrapPcm(bytes: Uint8Array): Uint8Array | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isAiff = nameAt(file, 0) === "FORM" && nameAt(file, 8).startsWith("AIF");
  const found = isAiff ? readAiff(file) : nameAt(file, 0) === "caff" ? readCaf(file) : null;
  return found && toWav(found);
}
