/** Reads the headers of MPEG layer III frames. */

/** By the index in the header. */
const bitRatesKbps = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const mpeg1SampleRates = [44_100, 48_000, 32_000];
/** By the version bits: MPEG-2.5, reserved, MPEG-2, MPEG-1. */
const rateDivisors = [4, Number.NaN, 2, 1];

export interface Mp3Frame {
  kbps: number;
  /** Length with the header, in bytes. */
  size: number;
  /** Number of samples per channel. */
  samples: number;
}

/** Returns null if no frame header starts at the offset. */
export function readFrame(bytes: Uint8Array, at: number): Mp3Frame | null {
  const [a, b = 0, c = 0] = bytes.subarray(at, at + 4);
  const isLayer3 = a === 0xff && (b & 0xe6) === 0xe2;
  const version = (b >> 3) & 3;
  const rate = (mpeg1SampleRates[(c >> 2) & 3] ?? 0) / (rateDivisors[version] ?? Number.NaN);
  const kbps = bitRatesKbps[version === 3 ? "mpeg1" : "mpeg2"][c >> 4] ?? 0;
  if (!isLayer3 || !(rate > 0) || kbps === 0) return null;
  const bytesPerKbps = (version === 3 ? 144_000 : 72_000) / rate;
  return {
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

/** What the frame before the first audio frame declares, in samples. */
export interface XingInfo {
  /** With the delay and the padding of the encoder. */
  samples: number;
  delay: number;
  padding: number;
}

/** Offset in a Xing tag of the encoder's name, if the tag has all its optional fields. */
const encoderOffset = 120;

/** Returns what the Xing or Info tag declares, or null if an MP3 has none. LAME's extension of it states delay and padding. */
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

/** Damage or an unknown tag before the first frame is skipped up to this length. */
const maxSkippedBytes = 1_000_000;
/** Number of frames in a row from which bytes are certainly MP3. */
const minFrames = 3;

/** Returns the offset of the first frame that similar ones follow, or -1 without any. */
export function findFrames(bytes: Uint8Array, from: number): number {
  const end = Math.min(bytes.length, from + maxSkippedBytes);
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at < end; at = bytes.indexOf(0xff, at + 1)) {
    let next = at;
    for (let frames = 0; frames < minFrames; frames++)
      next += isAlike(bytes, at, next) ? (readFrame(bytes, next)?.size ?? Number.NaN) : Number.NaN;
    if (next <= bytes.length) return at;
  }
  return -1;
}

/** Returns whether two headers have the same version, sample rate and channel mode. */
function isAlike(bytes: Uint8Array, one: number, other: number): boolean {
  const [, version = 0, rate = 0, mode = 0] = bytes.subarray(one, one + 4);
  const [, otherVersion = 0, otherRate = 0, otherMode = 0] = bytes.subarray(other, other + 4);
  return (
    version >> 1 === otherVersion >> 1 && (rate & 12) === (otherRate & 12) && mode >> 6 === otherMode >> 6
  );
}
