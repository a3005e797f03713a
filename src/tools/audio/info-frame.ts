/** The first frame of an MP3: how long it is, and what of its ends is the encoder's and not to be played. */
import { ascii, u32be } from "./sink.js";

/** Samples before the first of the input, as LAME has it. */
const encoderDelay = 576;
/** kbit/s by the header's index, of MPEG-1 layer III; other versions are not written here. */
const bitRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const sampleRates = [44_100, 48_000, 32_000];
export const samplesInFrame = 1152;

/** From one frame's header to the next. */
function sizeOf(header: Uint8Array): number {
  const [, , third = 0] = header;
  const bitRate = bitRates[third >> 4] ?? 0;
  const rate = sampleRates[(third >> 2) & 3] ?? 0;
  return Math.floor((144_000 * bitRate) / rate) + ((third >> 1) & 1);
}

export function countFrames(mp3: Uint8Array): number {
  let frames = 0;
  for (let at = 0; at + 4 <= mp3.length; frames++) {
    const size = sizeOf(mp3.subarray(at, at + 4));
    if (!Number.isFinite(size) || size === 0) throw new Error(`no MPEG-1 frame at ${at}`);
    at += size;
  }
  return frames;
}

/** Where the encoder's channels and bit rate stay the same, so does the size of this frame. */
export function infoFrameSize(firstHeader: Uint8Array): number {
  const [a = 0, b = 0, c = 0, d = 0] = firstHeader;
  return sizeOf(Uint8Array.of(a, b, c & ~2, d));
}

/** `frames` come after this one and hold `samples` of input. */
export function infoFrame(
  firstHeader: Uint8Array,
  frames: number,
  bytes: number,
  samples: number,
): Uint8Array {
  const info = new Uint8Array(infoFrameSize(firstHeader));
  const [a = 0, b = 0, c = 0, d = 0] = firstHeader;
  // Neither checksum nor padding.
  info.set([a, b | 1, c & ~2, d]);
  const isMono = d >> 6 === 3;
  const padding = Math.max(0, frames * samplesInFrame - encoderDelay - samples);
  let at = 4 + (isMono ? 17 : 32);
  const put = (part: Uint8Array | number[]): void => {
    info.set(part, at);
    at += part.length;
  };
  put(ascii("Info"));
  // Frames, bytes, table of places and quality follow.
  put(u32be(0b1111));
  put(u32be(frames));
  put(u32be(info.length + bytes));
  put(Array.from({ length: 100 }, (_, percent) => Math.floor((percent * 256) / 100)));
  put(u32be(50));
  put(ascii("LAME3.100"));
  // Version of this tag and constant bit rate; no low-pass, no gain, no flags, the bit rate.
  put([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Math.min(255, bitRates[c >> 4] ?? 0)]);
  put([encoderDelay >> 4, ((encoderDelay & 15) << 4) | (padding >> 8), padding & 255]);
  put([0, 0, 0, 0]);
  put(u32be(info.length + bytes));
  put([0, 0]);
  return withChecksum(info, at);
}

/** The tag's checksum is over all before it. */
function withChecksum(info: Uint8Array, at: number): Uint8Array {
  let crc = 0;
  for (const byte of info.subarray(0, at)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  info.set([crc >> 8, crc & 255], at);
  return info;
}
