/** Encodes an asset in a format that its store accepts, within the store's size limit. */
import { type Pixels, toSharp } from "../picture.js";
import type { Asset, Format } from "./assets.js";

/**
 * Drawings and screenshots compress to far fewer bytes per pixel as PNG, and most photos do as JPEG. A PNG above the
 * limit is treated as a photo, and a JPEG above it as noise that needs a lower quality.
 */
const photoBytesPerPixel = 0.5;
/** Larger pictures would take seconds at the highest compression level. */
const maxBestCompressionPixels = 512 * 512;

/** Low bits of each channel to drop, in turn, until a PNG fits. */
const droppedBits = [0, 1, 2, 3, 4, 5];
/** Qualities to try, in turn, until a JPEG fits. Chroma subsampling comes last, because it blurs coloured text. */
const jpegQualities = [
  { quality: 92, chromaSubsampling: "4:4:4" },
  { quality: 82, chromaSubsampling: "4:4:4" },
  { quality: 62, chromaSubsampling: "4:2:0" },
  { quality: 40, chromaSubsampling: "4:2:0" },
];

export interface EncodedAsset {
  format: Format;
  bytes: Uint8Array;
}

/** Encodes as JPEG if the store accepts it and the picture is a photo or too large as a PNG, otherwise as PNG. */
export async function encodeAsset(asset: Asset, pixels: Pixels, isPhoto: boolean): Promise<EncodedAsset> {
  const maxBytes = asset.max_bytes ?? Number.POSITIVE_INFINITY;
  if (!asset.formats.includes("jpg"))
    return {
      format: "png",
      bytes: await encodeWithin(droppedBits, maxBytes, (bits) => encodePng(asset, pixels, bits)),
    };
  const photoBytes = Math.min(maxBytes, asset.width * asset.height * photoBytesPerPixel);
  if (!isPhoto) {
    const bytes = await encodePng(asset, pixels, 0);
    if (bytes.length <= photoBytes) return { format: "png", bytes };
  }
  return {
    format: "jpg",
    bytes: await encodeWithin(jpegQualities, photoBytes, (quality) => encodeJpeg(pixels, quality)),
  };
}

/** Returns the first encoding within the limit, or the last one. */
async function encodeWithin<Step>(
  steps: readonly Step[],
  maxBytes: number,
  write: (step: Step) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  let file: Uint8Array = new Uint8Array();
  for (const step of steps) {
    file = await write(step);
    if (file.length <= maxBytes) break;
  }
  return file;
}

function encodePng({ alpha, width, height }: Asset, pixels: Pixels, bits: number): Promise<Uint8Array> {
  const picture = toSharp(bits === 0 ? pixels : dropLowBits(pixels, bits));
  return (alpha ? picture.ensureAlpha() : picture.removeAlpha())
    .png({ compressionLevel: width * height <= maxBestCompressionPixels ? 9 : 6, palette: false })
    .toBuffer();
}

/** Optimised Huffman coding would save 5% and take four times as long. */
const encodeJpeg = (pixels: Pixels, quality: (typeof jpegQualities)[number]): Promise<Uint8Array> =>
  toSharp(pixels)
    .removeAlpha()
    .jpeg({ ...quality, optimiseCoding: false })
    .toBuffer();

function dropLowBits({ data, ...size }: Pixels, bits: number): Pixels {
  const step = 1 << bits;
  const rounded = data.map((value, at) =>
    size.channels === 4 && at % 4 === 3 ? value : value - (value % step) + step / 2,
  );
  return { ...size, data: Buffer.from(rounded.buffer) };
}
