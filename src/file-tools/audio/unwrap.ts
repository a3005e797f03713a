/** Takes streams that can be decoded out of wrappings that mediabunny does not read. */
import { checkOgg } from "./header-checks.js";
import { audioStart } from "./id3.js";
import { findFrames } from "./mp3-frames.js";
import { joinPackets, pageSerial, readPages } from "./ogg-pages.js";
import { rewrapPcm } from "./rewrap-pcm.js";
import { readChunks, readWaveFormat } from "./riff.js";

const startsWith = (bytes: Uint8Array, signature: string): boolean =>
  Buffer.from(bytes.subarray(0, signature.length)).toString("latin1") === signature;

/** Returns the stream of FLAC in Ogg or MP3 in WAV, PCM in AIFF or CAF as WAV, a WAV with its length filled in, or other files unchanged. */
export function unwrapStream(bytes: Uint8Array): Uint8Array {
  if (startsWith(bytes, "OggS")) return nativeFlac(bytes) ?? bytes;
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
function nativeFlac(ogg: Uint8Array): Uint8Array | null {
  const pages = [...readPages(ogg)];
  const first = pages.find(({ body }) => startsWith(body, oggFlacSignature));
  if (!first) return null;
  checkOgg(ogg);
  const serial = pageSerial(first);
  const packets = joinPackets(pages.filter((page) => pageSerial(page) === serial));
  return Buffer.concat(packets).subarray(markerOffset);
}

const mp3FormatTag = 0x55;

function mp3InWav(wav: Uint8Array): Uint8Array | null {
  if (readWaveFormat(wav)?.tag !== mp3FormatTag) return null;
  for (const { id, body } of readChunks(wav)) if (id === "data") return body;
  return null;
}

const riffSizeOffset = 4;
const unknownSize = 0xffffffff;

/** Marks the length of WAV as unknown if it is 0 because the recorder did not get to finish the header. */
function completeWav(wav: Uint8Array): Uint8Array {
  const isUnfinished =
    new DataView(wav.buffer, wav.byteOffset, wav.length).getUint32(riffSizeOffset, true) + 8 < wav.length;
  for (const { id, size, body } of isUnfinished ? readChunks(wav) : []) {
    if (id !== "data") continue;
    if (size > 0) return wav;
    const whole = new Uint8Array(wav);
    for (const at of [riffSizeOffset, body.byteOffset - wav.byteOffset - 4])
      new DataView(whole.buffer).setUint32(at, unknownSize, true);
    return whole;
  }
  return wav;
}
