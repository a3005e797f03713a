/** Reads the metadata and splits the frames of native FLAC, and changes the sample rate of frames. */
import { EncodedPacket } from "mediabunny";
import { audioStart } from "./mp3-frames.js";
import type { EncodedStream } from "./mux.js";

/** Length of the `fLaC` marker and the STREAMINFO block. */
const streamInfoEnd = 42;
/** Offset in a file of the MD5 checksum of the samples. */
export const checksumOffset = 26;
/** Flag of the last metadata block in the first byte of its header. The other bits are its type. */
const lastBlockFlag = 0x80;

/** Returns the bits per sample, and the number of samples per channel, which is 0 if it is unknown. */
export function readFlacInfo(config: AudioDecoderConfig | null): { bits: number; samples: number } {
  const info = Buffer.from((config?.description as Uint8Array | undefined) ?? []);
  if (info.length < 26) return { bits: 16, samples: 0 };
  const bits = ((info.readUInt16BE(20) >> 4) & 31) + 1;
  return { bits, samples: (info.readUInt8(21) & 15) * 2 ** 32 + info.readUInt32BE(22) };
}

/** Returns the offset of the first frame. */
function metadataEnd(flac: Buffer): number {
  let at = audioStart(flac) + 4;
  for (let isLast = false; !isLast && at + 4 <= flac.length; ) {
    isLast = (flac.readUInt8(at) & lastBlockFlag) !== 0;
    at += 4 + flac.readUIntBE(at + 1, 3);
  }
  return at;
}

/** Returns the file without metadata except STREAMINFO, which every decoder needs. */
export function withoutMetadata(bytes: Uint8Array): Uint8Array {
  const flac = Buffer.from(bytes);
  const start = audioStart(flac);
  const head = Buffer.from(flac.subarray(start, start + streamInfoEnd));
  head[4] = lastBlockFlag;
  return Buffer.concat([head, flac.subarray(metadataEnd(flac))]);
}

/** The checksums of FLAC and Ogg. */

/** Returns a function that computes a checksum of up to 32 bits, most significant bit first, starting at 0. */
export function createChecksum(bits: 8 | 16 | 32, polynomial: number): (bytes: Uint8Array) => number {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte << 24;
    for (let bit = 0; bit < 8; bit++)
      value = value < 0 ? (value << 1) ^ (polynomial << (32 - bits)) : value << 1;
    return value;
  });
  return (bytes) => {
    let value = 0;
    for (const byte of bytes) value = (value << 8) ^ (table[(value >>> 24) ^ byte] as number);
    return value >>> (32 - bits);
  };
}

const headerChecksum = createChecksum(8, 0x07);
const frameChecksum = createChecksum(16, 0x8005);

interface FrameHeader {
  /** Length in bytes without the checksum. */
  length: number;
  /** Number of the frame, or of its first sample if the frames have different lengths. */
  number: number;
  isVariable: boolean;
  rateCode: number;
  samples: number;
}

/** Block sizes by their code; 6 and 7 are followed by the size. */
const blockSizes = [0, 192, 576, 1152, 2304, 4608, 0, 0, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768];
const maxHeaderBytes = 16;

/** Reads the header of a frame. Returns null without a sync code, or if the checksum is wrong. */
function readHeader(flac: Buffer, at: number): FrameHeader | null {
  const frame = Buffer.alloc(maxHeaderBytes);
  flac.copy(frame, 0, at);
  const [sync = 0, flags = 0, sizes = 0, , first = 0] = frame;
  if (sync !== 0xff || (flags & 0xfe) !== 0xf8) return null;
  // The number is encoded like UTF-8: the leading ones of the first byte give the number of bytes.
  const numberBytes = Math.max(1, Math.clz32(~(first << 24)));
  let number = first & (0xff >> (numberBytes === 1 ? 1 : numberBytes + 1));
  for (const byte of frame.subarray(5, 4 + numberBytes)) number = number * 64 + (byte & 63);
  const [size, rateCode] = [sizes >> 4, sizes & 15];
  const sizeBytes = size === 6 ? 1 : size === 7 ? 2 : 0;
  const samples = sizeBytes > 0 ? frame.readUIntBE(4 + numberBytes, sizeBytes) + 1 : (blockSizes[size] ?? 0);
  const length = 4 + numberBytes + sizeBytes + (rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0);
  const isValid = samples > 0 && frame[length] === headerChecksum(frame.subarray(0, length));
  return isValid ? { length, number, isVariable: (flags & 1) !== 0, rateCode, samples } : null;
}

/** Maximum number of missing frames, because some frames may be damaged. */
const maxMissingFrames = 100;

function follows(header: FrameHeader, before: FrameHeader): boolean {
  const frames = (header.number - before.number) / (before.isVariable ? before.samples : 1);
  const isAlike = header.isVariable === before.isVariable && header.rateCode === before.rateCode;
  return isAlike && frames > 0 && frames < maxMissingFrames;
}

/**
 * Yields the frames of a native FLAC file, which does not state their lengths. mediabunny would stop at a damaged
 * frame, and at the first frame that declares its rate in kHz, such as 12.
 */
export function* splitFrames(bytes: Uint8Array, rate: number): Generator<EncodedPacket> {
  const flac = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let current: (FrameHeader & { at: number }) | null = null;
  let samples = 0;
  const frameUntil = (end: number, { at, samples: length }: FrameHeader & { at: number }): EncodedPacket => {
    samples += length;
    return new EncodedPacket(flac.subarray(at, end), "key", (samples - length) / rate, length / rate);
  };
  for (let at = flac.indexOf(0xff, metadataEnd(flac)); at >= 0; at = flac.indexOf(0xff, at + 1)) {
    const header = readHeader(flac, at);
    // Samples may look like a header, but not like the header of the next frame.
    if (!header || (current && !follows(header, current))) continue;
    if (current) yield frameUntil(at, current);
    current = { ...header, at };
  }
  if (current) yield frameUntil(flac.length, current);
}

/** Offset in a frame of the byte whose lower half is a code of the sample rate; 0 refers to STREAMINFO. */
const rateOffset = 2;

/** Returns the stream with another sample rate. The frames must store their rate as a code, without further bytes. */
export function setSampleRate({ config, packets, ...stream }: EncodedStream, rate: number): EncodedStream {
  if (config.sampleRate === rate) return { config, packets, ...stream };
  const scale = config.sampleRate / rate;
  return {
    ...stream,
    config: { ...config, sampleRate: rate },
    packets: packets.map(({ data, timestamp, duration }) => {
      const frame = Buffer.from(data);
      const { length = 0 } = readHeader(frame, 0) ?? {};
      frame[rateOffset] = frame.readUInt8(rateOffset) & 0xf0;
      frame.writeUInt8(headerChecksum(frame.subarray(0, length)), length);
      frame.writeUInt16BE(frameChecksum(frame.subarray(0, -2)), frame.length - 2);
      return new EncodedPacket(frame, "key", timestamp * scale, duration * scale);
    }),
  };
}
