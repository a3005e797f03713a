/** Writes the Info frame at the start of an MP3, which declares its length, encoder delay and padding. */
import type { EncodedPacket } from "mediabunny";
import { readFrame } from "./mp3-frames.js";

/** LAME's delay before the first input sample. */
const encoderDelaySamples = 576;

/** Offset of the tag: the header, and the decoding data after it, which the frame leaves at 0. */
function tagOffset([, version = 0, , mode = 0]: Uint8Array): number {
  const [isMpeg1, isMono] = [((version >> 3) & 3) === 3, mode >> 6 === 3];
  return 4 + (isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17);
}

/** Length of the Info tag and LAME's extension of it. */
const tagBytes = 156;

/** Returns an empty frame like an audio frame, without checksum and padding, at a sufficient bit rate. */
function emptyFrame([a = 0, b = 0, c = 0, d = 0]: Uint8Array): Buffer {
  const header = Uint8Array.of(a, b | 1, c & ~2, d);
  const needed = tagOffset(header) + tagBytes;
  while ((readFrame(header, 0)?.size ?? needed) < needed) header[2] = (header[2] ?? 0) + 0x10;
  return Buffer.concat([header], readFrame(header, 0)?.size);
}

/** Creates the Info frame of an MP3 that holds `samples` input samples. */
export function createInfoFrame(packets: readonly EncodedPacket[], samples: number): Buffer {
  const [first] = packets;
  const frame = first && readFrame(first.data, 0);
  if (!frame) throw new Error("The MP3 encoder wrote no frame.");
  const info = emptyFrame(first.data);
  const bytes = info.length + packets.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const padding = Math.max(0, packets.length * frame.samples - encoderDelaySamples - samples);
  const tag = info.subarray(tagOffset(info));
  tag.write("Info");
  // Flags: frame count, byte count, seek table and quality follow.
  tag.writeUInt32BE(0b1111, 4);
  tag.writeUInt32BE(packets.length, 8);
  tag.writeUInt32BE(bytes, 12);
  for (let percent = 0; percent < 100; percent++)
    tag.writeUInt8(Math.floor((percent * 256) / 100), 16 + percent);
  tag.writeUInt32BE(50, 116);
  tag.write("LAME3.100", 120);
  // Tag version and constant bit rate; no low-pass filter, gain and flags.
  tag.writeUInt8(1, 129);
  tag.writeUInt8(Math.min(255, frame.kbps), 140);
  tag.writeUIntBE(encoderDelaySamples * 2 ** 12 + padding, 141, 3);
  tag.writeUInt32BE(bytes, 148);
  const end = tag.byteOffset - info.byteOffset + 154;
  info.writeUInt16BE(checksum(info.subarray(0, end)), end);
  return info;
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
