/** Writes one asset in a format that its store takes, within the bytes that it takes. */
import { fromPixels, type Pixels } from "../picture.js";
import type { Asset, Format } from "./table.js";

/**
 * Bytes a pixel. Drawn pictures and screenshots need far fewer as a PNG, most photos fewer as a JPEG: what needs more is
 * a photo to the one and noise to the other.
 */
const dense = 0.5;
/** Encoded as well as it goes up to here; larger ones would take seconds. */
const smallPixels = 512 * 512;

/** How much is let go, step by step, until a file fits: the lowest bits of each colour; noise shows it last. */
const coarserBits = [0, 1, 2, 3, 4, 5];
/** Colours of screens and type stay as sharp as their light for as long as that may be. */
const qualities = [
  { quality: 92, chromaSubsampling: "4:4:4" },
  { quality: 82, chromaSubsampling: "4:4:4" },
  { quality: 62, chromaSubsampling: "4:2:0" },
  { quality: 40, chromaSubsampling: "4:2:0" },
];

export interface Encoded {
  format: Format;
  bytes: Uint8Array;
}

/** A JPEG where the store takes one and the picture is a photo, or comes out as large as only photos do. */
export async function encode(asset: Asset, pixels: Pixels, isPhoto: boolean): Promise<Encoded> {
  const most = asset.max_bytes ?? Number.POSITIVE_INFINITY;
  if (!asset.formats.includes("jpg"))
    return { format: "png", bytes: await fitting(coarserBits, most, (bits) => png(asset, pixels, bits)) };
  const bound = Math.min(most, asset.width * asset.height * dense);
  if (!isPhoto) {
    const bytes = await png(asset, pixels, 0);
    if (bytes.length <= bound) return { format: "png", bytes };
  }
  return { format: "jpg", bytes: await fitting(qualities, bound, (quality) => jpeg(pixels, quality)) };
}

/** The first that has no more bytes, or the last. */
async function fitting<Step>(
  steps: readonly Step[],
  most: number,
  write: (step: Step) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  let file: Uint8Array = new Uint8Array();
  for (const step of steps) {
    file = await write(step);
    if (file.length <= most) break;
  }
  return file;
}

function png({ alpha, width, height }: Asset, pixels: Pixels, bits: number): Promise<Uint8Array> {
  const picture = fromPixels(bits === 0 ? pixels : coarser(pixels, bits));
  return (alpha ? picture.ensureAlpha() : picture.removeAlpha())
    .png({ compressionLevel: width * height <= smallPixels ? 9 : 6, palette: false })
    .toBuffer();
}

/** Coding that is optimised saves a twentieth and takes four times as long. */
const jpeg = (pixels: Pixels, quality: (typeof qualities)[number]): Promise<Uint8Array> =>
  fromPixels(pixels)
    .removeAlpha()
    .jpeg({ ...quality, optimiseCoding: false })
    .toBuffer();

function coarser({ data, ...size }: Pixels, bits: number): Pixels {
  const step = 1 << bits;
  const rounded = data.map((value, at) =>
    size.channels === 4 && at % 4 === 3 ? value : value - (value % step) + step / 2,
  );
  return { ...size, data: Buffer.from(rounded.buffer) };
}
