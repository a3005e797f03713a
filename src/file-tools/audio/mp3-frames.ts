/** Reads the headers of MPEG layer III frames, and writes the Info frame that declares length, delay and padding. */

/** Bit rates in kbit/s by the index in the header. */
const bitRatesKbps = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const mpeg1SampleRates = [44_100, 48_000, 32_000];
/** Divisors of the sample rate by the version bits: MPEG-2.5, reserved, MPEG-2, MPEG-1. */
const rateDivisors = [4, Number.NaN, 2, 1];

const monoMode = 3;

interface Mp3Frame {
  /**
   * Number that identifies the version, the sample rate, and mono or stereo. Frames of one file may mix the modes of
   * stereo.
   */
  kind: number;
  kbps: number;
  /** Length with the header, in bytes. */
  size: number;
  /** Number of samples per channel. */
  samples: number;
}

/** Reads a frame header. Returns null if none starts at the offset. */
function readFrame(bytes: Uint8Array, at: number): Mp3Frame | null {
  const [a, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4);
  const isLayer3 = a === 0xff && (b & 0xe6) === 0xe2;
  const version = (b >> 3) & 3;
  const rate = (mpeg1SampleRates[(c >> 2) & 3] ?? 0) / (rateDivisors[version] ?? Number.NaN);
  const kbps = bitRatesKbps[version === 3 ? "mpeg1" : "mpeg2"][c >> 4] ?? 0;
  if (!isLayer3 || !(rate > 0) || kbps === 0) return null;
  const bytesPerKbps = (version === 3 ? 144_000 : 72_000) / rate;
  return {
    kind: (version << 3) | ((c >> 1) & 6) | (d >> 6 === monoMode ? 1 : 0),
    kbps,
    size: Math.floor(bytesPerKbps * kbps) + ((c >> 1) & 1),
    samples: version === 3 ? 1_152 : 576,
  };
}

/** Returns the offset of the audio in MP3, FLAC and ADTS, after an ID3v2 tag and its optional footer. */
export function audioStart(bytes: Uint8Array): number {
  const [i, d, three, , , flags = 0, a = 0, b = 0, c = 0, e = 0] = bytes;
  const isTag = i === 0x49 && d === 0x44 && three === 0x33;
  return isTag ? 10 + ((a << 21) | (b << 14) | (c << 7) | e) + (flags & 0x10 ? 10 : 0) : 0;
}

/** Declarations of the frame before the first audio frame, in samples. */
interface XingInfo {
  /** Number of samples, including the delay and the padding of the encoder. */
  samples: number;
  delay: number;
  padding: number;
}

/** Offset in a Xing tag of the encoder's name, if the tag has all its optional fields. */
const encoderOffset = 120;

/**
 * Returns what the Xing or Info tag declares, or null if an MP3 has none. LAME's extension of the tag states delay and
 * padding.
 */
export function readXing(bytes: Uint8Array): XingInfo | null {
  const start = findFrames(bytes, audioStart(bytes));
  const frame = start < 0 ? null : readFrame(bytes, start);
  if (!frame) return null;
  const tag = Buffer.from(bytes.subarray(start, start + frame.size));
  const at = tag.indexOf(/Xing|Info/.exec(tag.toString("latin1"))?.[0] ?? "Xing");
  if (at < 0 || at + 12 > tag.length || (tag.readUInt32BE(at + 4) & 1) === 0) return null;
  const hasDelay = /^(?:LAME|Lav[cf])/.test(
    tag.toString("latin1", at + encoderOffset, at + encoderOffset + 4),
  );
  const [high = 0, middle = 0, low = 0] = hasDelay ? tag.subarray(at + encoderOffset + 21) : [];
  return {
    samples: tag.readUInt32BE(at + 8) * frame.samples,
    delay: (high << 4) | (middle >> 4),
    padding: ((middle & 15) << 8) | low,
  };
}

/** Maximum length in bytes of damage or an unknown tag that is skipped before the first frame. */
const maxSkippedBytes = 1_000_000;
/** Number of consecutive frames that prove that bytes are MP3. */
const minFrames = 3;

/** Returns the offset of the first frame that is followed by similar ones, or -1 if there is none. */
export function findFrames(bytes: Uint8Array, from: number): number {
  const end = Math.min(bytes.length, from + maxSkippedBytes);
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < end; at = bytes.indexOf(0xff, at + 1)) {
    const kind = readFrame(bytes, at)?.kind;
    let next = at;
    for (let frames = 0; frames < minFrames; frames++) {
      const frame = readFrame(bytes, next);
      next += frame && frame.kind === kind ? frame.size : Number.NaN;
    }
    if (next <= bytes.length) return at;
  }
  return -1;
}

/**
 * Returns the ID3 tag and the frames of an MP3 with other data before or between them, or null if it has no frames.
 * mediabunny recognises an MP3 by two frames in the same mode of stereo, which a VBRI frame need not have.
 */
export function skipToFrames(bytes: Uint8Array): Uint8Array | null {
  const tagEnd = audioStart(bytes);
  let start = findFrames(bytes, tagEnd);
  if (start < 0) return null;
  const modeOf = (at: number): number => (bytes[at + 3] ?? 0) >> 6;
  for (let frame = readFrame(bytes, start); frame; frame = readFrame(bytes, start)) {
    if (modeOf(start) === modeOf(start + frame.size)) break;
    start += frame.size;
  }
  return Buffer.concat([bytes.subarray(0, tagEnd), bytes.subarray(start)]);
}

/** LAME's delay before the first input sample, in samples. */
const encoderDelaySamples = 576;

/** Returns the offset of the tag, after the header and the decoding data, which is 0 in this frame. */
function tagOffset([, version = 0, , mode = 0]: Uint8Array): number {
  const [isMpeg1, isMono] = [((version >> 3) & 3) === 3, mode >> 6 === monoMode];
  return 4 + (isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17);
}

/** Creates the Info frame before the frames of the encoder, which hold `samples` input samples per channel. */
export function createInfoFrame(frames: Uint8Array, samples: number): Buffer {
  const [a = 0, b = 0, c = 0, d = 0] = frames;
  // Without checksum and padding. At the encoder's bit rates there is room for the tag.
  const header = Uint8Array.of(a, b | 1, c & ~2, d);
  const frame = readFrame(header, 0);
  if (!frame) throw new Error("The MP3 encoder wrote no frame.");
  const info = Buffer.concat([header], frame.size);
  const bytes = info.length + frames.length;
  const count = countFrames(frames);
  const tag = info.subarray(tagOffset(info));
  tag.write("Info");
  // Flags: frame count, byte count, seek table and quality follow.
  tag.writeUInt32BE(0b1111, 4);
  tag.writeUInt32BE(count, 8);
  tag.writeUInt32BE(bytes, 12);
  for (let percent = 0; percent < 100; percent++)
    tag.writeUInt8(Math.floor((percent * 256) / 100), 16 + percent);
  tag.writeUInt32BE(50, 116);
  tag.write("LAME3.100", encoderOffset);
  // Tag version and constant bit rate; no low-pass filter, gain and flags.
  tag.writeUInt8(1, 129);
  tag.writeUInt8(Math.min(255, frame.kbps), 140);
  const padding = Math.max(0, count * frame.samples - encoderDelaySamples - samples);
  tag.writeUIntBE(encoderDelaySamples * 2 ** 12 + padding, encoderOffset + 21, 3);
  tag.writeUInt32BE(bytes, 148);
  const end = tag.byteOffset - info.byteOffset + 154;
  info.writeUInt16BE(checksum(info.subarray(0, end)), end);
  return info;
}

function countFrames(frames: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < frames.length; count++) at += readFrame(frames, at)?.size ?? frames.length;
  return count;
}

/** Returns the CRC-16 of LAME's tag. */
function checksum(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}
