/** Reads uncompressed Windows bitmaps, which sharp does not support. */

export interface BmpImage {
  width: number;
  height: number;
  /** Three bytes per pixel: red, green, blue. */
  pixels: Buffer;
}

/** Returns null if the bytes are not an uncompressed bitmap or exceed the pixel limit. */
export function readBmp(bytes: Buffer, maxPixels: number): BmpImage | null {
  if (bytes.length < 54 || bytes.toString("latin1", 0, 2) !== "BM") return null;
  const headerSize = bytes.readUInt32LE(14);
  const width = bytes.readInt32LE(18);
  const signedHeight = bytes.readInt32LE(22);
  const depth = bytes.readUInt16LE(28);
  const compression = bytes.readUInt32LE(30);
  const height = Math.abs(signedHeight);
  // In practice, 32-bit bit fields use the default order.
  const isKnown =
    [1, 4, 8, 24, 32].includes(depth) && (compression === 0 || (compression === 3 && depth === 32));
  if (!isKnown || headerSize < 40 || width <= 0 || height === 0 || width * height > maxPixels) return null;

  const start = bytes.readUInt32LE(10);
  const stride = Math.ceil((width * depth) / 32) * 4;
  if (start + stride * height > bytes.length) return null;
  const palette = 14 + headerSize;
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    const row = start + stride * (signedHeight > 0 ? height - 1 - y : y);
    for (let x = 0; x < width; x++) {
      const from = depth >= 24 ? row + (x * depth) / 8 : palette + 4 * paletteIndex(bytes, row, x, depth);
      const to = (y * width + x) * 3;
      pixels[to] = bytes[from + 2] ?? 0;
      pixels[to + 1] = bytes[from + 1] ?? 0;
      pixels[to + 2] = bytes[from] ?? 0;
    }
  }
  return { width, height, pixels };
}

function paletteIndex(bytes: Buffer, row: number, x: number, depth: number): number {
  const bit = x * depth;
  const byte = bytes[row + (bit >> 3)] ?? 0;
  return (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}
