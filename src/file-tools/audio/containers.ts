/** Takes streams out of wrappings that mediabunny does not read, checks that they are whole, and names codecs that cannot be decoded. */
import { UnreadableFileError } from "../engine.js";
import { minCompleteShare } from "./audio-source.js";
import { audioStart, findFrames } from "./mp3-frames.js";
import { isLastPage, joinPackets, readPages } from "./ogg-pages.js";
import { readChunks, readWaveFormat, riffChunk, u32le } from "./riff.js";
import { infoChunk, type Tags } from "./tags.js";

export const sendSupported = "send mp3, wav, aac, flac, ogg or m4a";

/** The file's codec has no built-in decoder. */
export class UnsupportedCodecError extends UnreadableFileError {
  constructor(container: string, codec: string) {
    super(`it contains ${codec} in ${container}, which has no built-in decoder; ${sendSupported}`);
  }
}

/** By format tag of the `fmt ` chunk. */
const wavCodecs: Readonly<Record<number, string>> = {
  1: "PCM",
  2: "Microsoft ADPCM",
  3: "floating-point PCM",
  16: "OKI ADPCM",
  17: "IMA ADPCM",
  34: "TrueSpeech",
  49: "GSM 6.10",
  69: "G.726 ADPCM",
  80: "MPEG layer 2",
  85: "MP3",
  255: "AAC",
  352: "Windows Media Audio",
  353: "Windows Media Audio",
  354: "Windows Media Audio",
  8192: "AC-3",
};

/** Returns a text such as "4-bit IMA ADPCM audio", with the format tag of an unknown codec. */
export function describeWavCodec(wav: Uint8Array): string {
  const { tag = 0, bits = 0 } = readWaveFormat(wav) ?? {};
  return `${bits === 0 ? "" : `${bits}-bit `}${wavCodecs[tag] ?? `codec ${tag}`} audio`;
}

/** Returns the name of an audio codec in an Ogg file that mediabunny does not recognise, or null if it is not known. */
export function findOggCodec(ogg: Uint8Array): string | null {
  for (const { body } of readPages(ogg)) {
    const [name] = /^(?:Speex {3}|CELT {4}|PCM {5})/.exec(body.toString("latin1", 0, 8)) ?? [];
    if (name) return name.trim();
  }
  return null;
}

/** By sample entry in MP4. */
const mp4Codecs: Readonly<Record<string, string>> = {
  samr: "AMR",
  sawb: "AMR-WB",
  sqcp: "QCELP",
  QDM2: "QDesign Music",
  "ac-4": "AC-4",
  mha1: "MPEG-H",
  mhm1: "MPEG-H",
};

/** Returns the name of a codec that mediabunny does not recognise, given the sample entry of its track. */
export const nameMp4Codec = (sampleEntry: unknown): string =>
  typeof sampleEntry === "string" && sampleEntry !== ""
    ? (mp4Codecs[sampleEntry] ?? `the codec ${sampleEntry}`)
    : "an unknown codec";

/** Declarations in the headers of an AIFF or CAF, and its samples. */
interface PcmFile {
  encoding: Encoding;
  channels: number;
  rate: number;
  bits: number;
  /** Declared size of the samples in bytes, which may exceed the size of `samples`. */
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
function rewrapPcm(bytes: Uint8Array): Uint8Array | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isAiff = nameAt(file, 0) === "FORM" && nameAt(file, 8).startsWith("AIF");
  const found = isAiff ? readAiff(file) : nameAt(file, 0) === "caff" ? readCaf(file) : null;
  return found && toWav(found);
}

const startsWith = (bytes: Uint8Array, signature: string): boolean =>
  Buffer.from(bytes.subarray(0, signature.length)).toString("latin1") === signature;

/** Returns the stream of FLAC in Ogg or MP3 in WAV, PCM in AIFF or CAF as WAV, a WAV with its lengths filled in, or other files unchanged. */
export function unwrapStream(bytes: Uint8Array): Uint8Array {
  if (startsWith(bytes, "OggS")) return flacInOgg(bytes) ?? bytes;
  if (startsWith(bytes, "RIFF")) return mp3InWav(bytes) ?? completeWav(bytes);
  return rewrapPcm(bytes) ?? bytes;
}

/** Returns the ID3 tag and the frames of MP3 that has something else between or before them, or null without frames. */
export function skipToFrames(bytes: Uint8Array): Uint8Array | null {
  const tagEnd = audioStart(bytes);
  const start = findFrames(bytes, tagEnd);
  return start < 0 ? null : Buffer.concat([bytes.subarray(0, tagEnd), bytes.subarray(start)]);
}

/** Start of the first packet of FLAC in Ogg, which continues with a version and the number of header packets. */
const oggFlacSignature = "\x7fFLAC";
/** Offset of the native stream marker in that packet. */
const markerOffset = 9;

/** The packets of FLAC in Ogg are the metadata blocks and the frames of a native file. */
function flacInOgg(ogg: Uint8Array): Uint8Array | null {
  const pages = [...readPages(ogg)];
  const first = pages.find(({ body }) => startsWith(body, oggFlacSignature));
  if (!first) return null;
  checkOgg(ogg);
  return Buffer.concat(joinPackets(pages, first)).subarray(markerOffset);
}

const mp3FormatTag = 0x55;

function mp3InWav(wav: Uint8Array): Uint8Array | null {
  if (readWaveFormat(wav)?.tag !== mp3FormatTag) return null;
  for (const { id, body } of readChunks(wav)) if (id === "data") return body;
  return null;
}

const riffSizeOffset = 4;

/** Fills in the lengths of a WAV that are 0 because the recorder did not get to finish the header. */
function completeWav(wav: Uint8Array): Uint8Array {
  const riffEnd = Buffer.from(wav).readUInt32LE(riffSizeOffset) + 8;
  for (const { id, size, body } of readChunks(wav)) {
    if (id !== "data") continue;
    const start = body.byteOffset - wav.byteOffset;
    const isKnown = size > 0 ? start + body.length <= riffEnd : riffEnd >= wav.length;
    if (isKnown) return wav;
    const whole = Buffer.from(wav);
    whole.writeUInt32LE(wav.length - 8, riffSizeOffset);
    if (size === 0) whole.writeUInt32LE(wav.length - start, start - 4);
    return whole;
  }
  return wav;
}

function checkFormatChunk(body: Buffer): void {
  if (body.length < 16) return;
  const [channels, align, bits] = [body.readUInt16LE(2), body.readUInt16LE(12), body.readUInt16LE(14)];
  if (channels === 0 || align === channels * Math.ceil(bits / 8)) return;
  throw new UnreadableFileError(
    `its header contradicts itself: ${align} bytes for ${channels} samples of ${bits} bits; send a file that plays`,
  );
}

/** Programs that write to a pipe declare 2 or 4 GB, or slightly less, because they do not know the size yet. */
const minUnknownSize = 0x7ff00000;

/** Throws if a WAV is cut off, or its header contradicts itself. */
export function checkWav(bytes: Uint8Array): void {
  // RF64 files, which may exceed 4 GB, store their sizes elsewhere.
  const isRiff = startsWith(bytes, "RIFF");
  for (const { id, size, body } of readChunks(bytes)) {
    if (id === "fmt ") checkFormatChunk(body);
    if (id === "data" && isRiff && size < minUnknownSize && body.length < size * minCompleteShare)
      throw new UnreadableFileError(
        `its header declares ${size} bytes of audio but only ${body.length} follow: it is cut off; send the whole file`,
      );
  }
}

/** Throws if the last page is truncated. A stream that was recorded may end without the flag of its last page. */
export function checkOgg(bytes: Uint8Array): void {
  let whole = 0;
  for (const page of readPages(bytes)) {
    if (isLastPage(page)) return;
    whole += page.bytes.length;
  }
  if (whole < bytes.length)
    throw new UnreadableFileError(
      "it is cut off or damaged: its last Ogg page is missing; send the whole file",
    );
}
