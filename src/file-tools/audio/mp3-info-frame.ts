/** Writes the Info frame at the start of an MP3, which declares its length, encoder delay and padding. */
import { readFrame } from "./mp3-frames.js";
import { u32be } from "./output-buffer.js";

/** LAME's delay before the first input sample. */
const encoderDelaySamples = 576;
const isMpeg1 = (header: Uint8Array): boolean => (((header[1] ?? 0) >> 3) & 3) === 3;
const isMono = (header: Uint8Array): boolean => (header[3] ?? 0) >> 6 === 3;

/** Length of the header and of the decoding data after it, which the frame leaves at 0. */
const infoOffset = (header: Uint8Array): number =>
  4 + (isMpeg1(header) ? (isMono(header) ? 17 : 32) : isMono(header) ? 9 : 17);
/** Length of the Xing and LAME tags. */
const infoBytes = 156;

export function countFrames(mp3: Uint8Array): number {
  let frames = 0;
  for (let at = 0; at + 4 <= mp3.length; frames++) {
    const frame = readFrame(mp3, at);
    if (!frame) throw new Error(`no MPEG frame at ${at}`);
    at += frame.size;
  }
  return frames;
}

/** Returns the header of the Info frame: that of the first audio frame without checksum and padding, at a sufficient bit rate. */
function infoHeader([a = 0, b = 0, c = 0, d = 0]: Uint8Array): Uint8Array {
  const header = Uint8Array.of(a, b | 1, c & ~2, d);
  const needed = infoOffset(header) + infoBytes;
  while ((readFrame(header, 0)?.size ?? needed) < needed) header[2] = (header[2] ?? 0) + 0x10;
  return header;
}

/** Returns the size of the Info frame that precedes the first audio frame. */
export const infoFrameSize = (firstHeader: Uint8Array): number =>
  readFrame(infoHeader(firstHeader), 0)?.size ?? 0;

/** Creates the Info frame of an MP3 with `frames` audio frames in `bytes` bytes, which hold `samples` input samples. */
export function createInfoFrame(
  firstHeader: Uint8Array,
  frames: number,
  bytes: number,
  samples: number,
): Uint8Array {
  const info = new Uint8Array(infoFrameSize(firstHeader));
  info.set(infoHeader(firstHeader));
  const samplesPerFrame = isMpeg1(firstHeader) ? 1152 : 576;
  const padding = Math.max(0, frames * samplesPerFrame - encoderDelaySamples - samples);
  let at = infoOffset(firstHeader);
  const put = (part: Uint8Array | number[]): void => {
    info.set(part, at);
    at += part.length;
  };
  put(Buffer.from("Info"));
  // Flags: frame count, byte count, seek table and quality follow.
  put(u32be(0b1111));
  put(u32be(frames));
  put(u32be(info.length + bytes));
  put(Array.from({ length: 100 }, (_, percent) => Math.floor((percent * 256) / 100)));
  put(u32be(50));
  put(Buffer.from("LAME3.100"));
  // Tag version and constant bit rate, no low-pass filter, no gain, no flags, the bit rate.
  put([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Math.min(255, readFrame(firstHeader, 0)?.kbps ?? 0)]);
  put([encoderDelaySamples >> 4, ((encoderDelaySamples & 15) << 4) | (padding >> 8), padding & 255]);
  put([0, 0, 0, 0]);
  put(u32be(info.length + bytes));
  put([0, 0]);
  return withChecksum(info, at);
}

/** Writes the CRC-16 of everything before `at`. */
function withChecksum(info: Uint8Array, at: number): Uint8Array {
  let crc = 0;
  for (const byte of info.subarray(0, at)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  info.set([crc >> 8, crc & 255], at);
  return info;
}
