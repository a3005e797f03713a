/** Reads, checks and writes WAV files. */
import { UnreadableFileError } from "../engine.js";
import { type AudioFormat, minCompleteShare } from "./audio-source.js";
import type { Tags } from "./tags.js";

interface Chunk {
  id: string;
  /** Declared size in bytes, which may exceed the size of the body. */
  size: number;
  /** Contents of the chunk, up to the end of the file. */
  body: Buffer;
}

/** Yields the chunks of a RIFF or RF64 file in order. */
function* readChunks(bytes: Uint8Array): Generator<Chunk> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    yield { id: file.toString("latin1", at, at + 4), size, body: file.subarray(at + 8, at + 8 + size) };
    at += 8 + size + (size & 1);
  }
}

const isRiff = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 4)).toString("latin1") === "RIFF";

/** Format tag of the extensible format, in which the actual tag is the start of the sub-format GUID. */
const extensibleFormat = 0xfffe;

/** Returns the format tag and the bits per sample that the `fmt ` chunk declares, or zeros without such a chunk. */
function readFormat(wav: Uint8Array): { tag: number; bits: number } {
  for (const { id, body } of readChunks(wav)) {
    if (id !== "fmt " || body.length < 16) continue;
    const tag = body.readUInt16LE(0);
    const isExtensible = tag === extensibleFormat && body.length >= 26;
    return { tag: isExtensible ? body.readUInt16LE(24) : tag, bits: body.readUInt16LE(14) };
  }
  return { tag: 0, bits: 0 };
}

/** Names of codecs by the format tag of the `fmt ` chunk. */
const codecs: Readonly<Record<number, string>> = {
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
  const { tag, bits } = readFormat(wav);
  return `${bits === 0 ? "" : `${bits}-bit `}${codecs[tag] ?? `codec ${tag}`} audio`;
}

const mp3FormatTag = 0x55;
const riffSizeOffset = 4;

/** Returns the stream of MP3 in WAV, or the file, and fills in lengths that the recorder did not write. */
export function unwrapWav(wav: Uint8Array): Uint8Array {
  const data = isRiff(wav) ? findData(wav) : null;
  if (!data) return wav;
  if (readFormat(wav).tag === mp3FormatTag) return data.body;
  const riffEnd = Buffer.from(wav).readUInt32LE(riffSizeOffset) + 8;
  const start = data.body.byteOffset - wav.byteOffset;
  const isKnown = data.size > 0 ? start + data.body.length <= riffEnd : riffEnd >= wav.length;
  if (isKnown) return wav;
  const whole = Buffer.from(wav);
  whole.writeUInt32LE(wav.length - 8, riffSizeOffset);
  if (data.size === 0) whole.writeUInt32LE(wav.length - start, start - 4);
  return whole;
}

function findData(wav: Uint8Array): Chunk | null {
  for (const chunk of readChunks(wav)) if (chunk.id === "data") return chunk;
  return null;
}

function checkFormat(body: Buffer): void {
  if (body.length < 16) return;
  const [channels, align, bits] = [body.readUInt16LE(2), body.readUInt16LE(12), body.readUInt16LE(14)];
  if (channels === 0 || align === channels * Math.ceil(bits / 8)) return;
  throw new UnreadableFileError(
    `its header contradicts itself: ${align} bytes for ${channels} samples of ${bits} bits; send a file that plays`,
  );
}

/** Smallest declared size that counts as unknown: programs that write to a pipe declare 2 or 4 GB, or slightly less. */
const minUnknownSize = 0x7ff00000;

/** Throws if a WAV is cut off, or its header contradicts itself. */
export function checkWav(wav: Uint8Array): void {
  // RF64 files, which may exceed 4 GB, store their sizes elsewhere.
  for (const { id, size, body } of readChunks(wav)) {
    if (id === "fmt ") checkFormat(body);
    if (id === "data" && isRiff(wav) && size < minUnknownSize && body.length < size * minCompleteShare)
      throw new UnreadableFileError(
        `its header declares ${size} bytes of audio but only ${body.length} follow: it is cut off; send the whole file`,
      );
  }
}

function u32le(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Returns the parts of a chunk, padded to an even length. */
function toChunk(id: string, parts: readonly Uint8Array[]): Uint8Array[] {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return [Buffer.from(id), u32le(size), ...parts, Buffer.alloc(size & 1)];
}

/** Speaker masks of 1 to 8 channels; bit 0 is front left. */
const speakerMasks = [0x4, 0x3, 0x7, 0x33, 0x37, 0x3f, 0x70f, 0x63f];
/** The GUID of the PCM sub-format. */
const pcmGuid = Buffer.from("0100000000001000800000aa00389b71", "hex");

/** Returns the body of the format chunk, extended with the speakers of more than two channels. */
function toFormat({ rate, channels, bits }: AudioFormat): Buffer {
  const isExtensible = channels > 2;
  const frame = (channels * bits) / 8;
  const format = Buffer.alloc(isExtensible ? 40 : 16);
  format.writeUInt16LE(isExtensible ? extensibleFormat : 1, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate * frame, 8);
  format.writeUInt16LE(frame, 12);
  format.writeUInt16LE(bits, 14);
  if (!isExtensible) return format;
  format.writeUInt16LE(format.length - 18, 16);
  format.writeUInt16LE(bits, 18);
  format.writeUInt32LE(speakerMasks[channels - 1] ?? 0, 20);
  pcmGuid.copy(format, 24);
  return format;
}

/** Returns the tags that RIFF has names for, in UTF-8, as most programs write them. */
function toInfo({ trackNumber, tracksTotal, ...tags }: Tags): Uint8Array[] {
  const texts = {
    INAM: tags.title,
    IART: tags.artist,
    IPRD: tags.album,
    IGNR: tags.genre,
    ICMT: tags.comment,
    ITRK: trackNumber && `${trackNumber}${tracksTotal ? `/${tracksTotal}` : ""}`,
    ICRD: tags.date,
    IMUS: tags.composer,
    ICOP: tags.copyright,
  };
  const entries = Object.entries(texts).flatMap(([id, text]) =>
    text ? toChunk(id, [Buffer.from(`${text}\0`)]) : [],
  );
  return entries.length === 0 ? [] : toChunk("LIST", [Buffer.from("INFO"), ...entries]);
}

/** Returns a WAV of integer samples, with its tags in ID3 and in RIFF. */
export function writeWav(
  format: AudioFormat,
  samples: readonly Uint8Array[],
  id3: Uint8Array,
  tags: Tags,
): Uint8Array {
  const chunks = [
    ...toChunk("fmt ", [toFormat(format)]),
    // ID3 comes first, so that readers of both prefer its longer texts.
    ...(id3.length === 0 ? [] : toChunk("ID3 ", [id3])),
    ...toInfo(tags),
    ...toChunk("data", samples),
  ];
  return Buffer.concat(toChunk("RIFF", [Buffer.from("WAVE"), ...chunks]));
}
