/** Valid pictures of any dimensions in small files, even with a billion pixels. */
import { crc32, deflateSync } from "node:zlib";

const ascii = (text: string): Buffer => Buffer.from(text, "latin1");
const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function chunk(name: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([ascii(name), content]);
  return Buffer.concat([uint32(content.length), named, uint32(crc32(named))]);
}

const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");

/** Returns a black PNG with one bit per pixel; `before` precedes its header. */
export function pngOfSize(width: number, height: number, before: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([1, 0, 0, 0, 0])]);
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))), { level: 1 });
  return Buffer.concat([
    pngSignature,
    before,
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export const segment = (code: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0xff, code]), uint16(content.length + 2), content]);

/** Returns EXIF of this length in as many segments as needed, filled with what looks like the header of another picture. */
export function exif(bytes: number): Buffer {
  const thumbnail = jpegOfSize(160, 120);
  const maxSegmentBytes = 60_000;
  const contents = Array.from({ length: Math.ceil(bytes / maxSegmentBytes) }, (_, index) =>
    Buffer.concat([
      ascii("Exif\0\0MM\0*\0\0\0\x08"),
      Buffer.alloc(Math.min(maxSegmentBytes, bytes - index * maxSegmentBytes), thumbnail),
    ]),
  );
  return Buffer.concat(contents.map((content) => segment(0xe1, content)));
}

/** Both tables have a single code of one bit, which means that nothing follows. */
const oneCode = Buffer.from([1, ...Array<number>(15).fill(0), 0]);
const maxScanBytes = 64 * 1024;

/** Returns a grey JPEG with one component; `before` is inserted between its start and its frame. The scan of a huge one is truncated. */
export function jpegOfSize(width: number, height: number, before: Uint8Array = Buffer.alloc(0)): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, ascii("JFIF\0\x01\x01\0\0\x01\0\x01\0\0")),
    before,
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    segment(
      0xc0,
      Buffer.concat([Buffer.from([8]), uint16(height), uint16(width), Buffer.from([1, 1, 0x11, 0])]),
    ),
    segment(0xc4, Buffer.concat([Buffer.from([0x00]), oneCode, Buffer.from([0x10]), oneCode])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.alloc(Math.min(Math.ceil(blocks / 4), maxScanBytes)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Packs numbers as in a WebP, lowest bit first. */
function bits(...values: readonly (readonly [value: number, bits: number])[]): Buffer {
  const all = values.flatMap(([value, count]) => Array.from({ length: count }, (_, at) => (value >> at) & 1));
  const bytes = Buffer.alloc(Math.ceil(all.length / 8));
  for (const [at, bit] of all.entries()) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (bit << (at & 7));
  return bytes;
}

const riff = (name: string, content: Uint8Array): Buffer =>
  Buffer.concat([ascii(name), uint32(content.length).swap32(), content]);
const webp = (...chunks: readonly Buffer[]): Buffer =>
  riff("RIFF", Buffer.concat([ascii("WEBP"), ...chunks]));

/** A single transparent colour needs no bits per pixel: 28 bytes, whatever the size. */
const lossless = (width: number, height: number): Buffer =>
  riff("VP8L", bits([0x2f, 8], [width - 1, 14], [height - 1, 14], [1, 4], [0, 3], ...Array(5).fill([1, 4])));

export const webpOfSize = (width: number, height: number): Buffer => webp(lossless(width, height));

/** Adds the extended header that animations, profiles and transparency need. */
export const extendedWebpOfSize = (width: number, height: number): Buffer =>
  webp(riff("VP8X", bits([0x10, 32], [width - 1, 24], [height - 1, 24])), lossless(width, height));

/** Valid at 1 × 1; at other sizes its data ends early. */
export function lossyWebpOfSize(width: number, height: number): Buffer {
  const whole = Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64");
  whole.writeUInt16LE(width, 26);
  whole.writeUInt16LE(height, 28);
  return whole;
}

/** Pictures that unpack to gigabytes. */
export const bombs = {
  PNG: { width: 30_000, height: 30_000, make: pngOfSize },
  JPEG: { width: 65_000, height: 65_000, make: jpegOfSize },
  WebP: { width: 16_383, height: 16_383, make: webpOfSize },
} as const;

export const bomb = (kind: keyof typeof bombs): Buffer =>
  bombs[kind].make(bombs[kind].width, bombs[kind].height);
