/** Reads a picture into pixels, upright and in sRGB; what cannot be read is Unreadable. */
import sharp from "sharp";
import { Unreadable } from "./engine.js";

/** What is unpacked at most: 200 MB. */
export const mostPixels = 50_000_000;

/** Red, green, blue, and alpha where some pixel is not opaque; not multiplied in. A byte each. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
  channels: 3 | 4;
}

export interface Picture extends Pixels {
  /** A JPEG. Other formats hold photos too. */
  isPhoto: boolean;
}

// The file that is converted has one thread; the others stay with the requests.
sharp.concurrency(1);
sharp.cache(false);

/** The first frame. A picture of more than `longest` pixels a side is made smaller. */
export async function readPicture(bytes: Uint8Array, longest?: number): Promise<Picture> {
  try {
    const { format } = await open(bytes).metadata();
    const whole = open(bytes).autoOrient();
    const fitting =
      longest === undefined
        ? whole
        : whole.resize({ width: longest, height: longest, fit: "inside", withoutEnlargement: true });
    const { data, info } = await fitting
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    const pixels = { data, width: info.width, height: info.height, channels: info.channels as 3 | 4 };
    return {
      ...(isOpaque(pixels) ? await withoutAlpha(pixels) : pixels),
      isPhoto: format === "jpeg",
    };
  } catch (error) {
    throw new Unreadable(explain(error));
  }
}

const open = (bytes: Uint8Array) => sharp(bytes, { limitInputPixels: mostPixels, failOn: "truncated" });

/** The engine's own words say nothing to who sent the file. */
function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/pixel limit/.test(message))
    return `it has more than ${mostPixels / 1e6} megapixels; send a smaller picture`;
  if (/unsupported image format|empty/.test(message))
    return "its bytes are no picture that can be read; send a PNG or a JPEG";
  return "it is cut off or damaged; send the whole picture";
}

function isOpaque({ data, channels }: Pixels): boolean {
  for (let at = 3; channels === 4 && at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

async function withoutAlpha(pixels: Pixels): Promise<Pixels> {
  if (pixels.channels === 3) return pixels;
  return { ...pixels, data: await fromPixels(pixels).removeAlpha().raw().toBuffer(), channels: 3 };
}

/** Pixels as an input of sharp. */
export const fromPixels = ({ data, width, height, channels }: Pixels) =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: mostPixels });
