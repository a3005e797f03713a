/** Takes streams out of wrappings that mediabunny does not read, checks that they are whole, and names codecs that cannot be decoded. */
import { UnreadableFileError } from "../engine.js";
import { minCompleteShare } from "./audio-source.js";
import { audioStart, findFrames } from "./mp3-frames.js";
import { isLastPage, joinPackets, readPages } from "./ogg-pages.js";
import { readChunks, readWaveFormat } from "./riff.js";

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

const startsWith = (bytes: Uint8Array, signature: string): boolean =>
  Buffer.from(bytes.subarray(0, signature.length)).toString("latin1") === signature;

/** Returns the stream of FLAC in Ogg or MP3 in WAV, a WAV with its lengths filled in, or other files unchanged. */
export function unwrapStream(bytes: Uint8Array): Uint8Array {
  if (startsWith(bytes, "OggS")) return flacInOgg(bytes) ?? bytes;
  if (startsWith(bytes, "RIFF")) return mp3InWav(bytes) ?? completeWav(bytes);
  return bytes;
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
