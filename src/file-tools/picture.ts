/** Decodes pictures with sharp into upright sRGB pixels. */
import sharp from "sharp";
import { UnreadableFileError } from "./engine.js";

/** Maximum number of pixels of a decoded picture: 200 MB with four channels. */
export const maxPixels = 50_000_000;

/** Pixels with one byte each of red, green, blue and, if any pixel is transparent, non-premultiplied alpha. */
export interface Pixels {
  data: Buffer;
  width: number;
  height: number;
  channels: 3 | 4;
}

export interface Picture extends Pixels {
  /** Whether the file is a JPEG, and so a photo. Other formats may contain photos too. */
  isPhoto: boolean;
}

// One thread per conversion leaves the other cores to the HTTP server.
sharp.concurrency(1);
sharp.cache(false);

/** Decodes the first frame, scaled down to at most `maxSidePixels` a side. Rejects with `UnreadableFileError`. */
export async function readPicture(bytes: Uint8Array, maxSidePixels?: number): Promise<Picture> {
  try {
    const { format } = await open(bytes).metadata();
    const whole = open(bytes).autoOrient();
    const fitting =
      maxSidePixels === undefined
        ? whole
        : whole.resize({
            width: maxSidePixels,
            height: maxSidePixels,
            fit: "inside",
            withoutEnlargement: true,
          });
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
    throw new UnreadableFileError(describeFailure(error));
  }
}

const open = (bytes: Uint8Array) => sharp(bytes, { limitInputPixels: maxPixels, failOn: "truncated" });

/** Describes an error for the user who uploaded the file, to whom sharp's messages mean nothing. */
function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/pixel limit/.test(message))
    return `it has more than ${maxPixels / 1e6} megapixels; send a smaller picture`;
  if (/unsupported image format|empty/.test(message))
    return "it is not a picture in a supported format; send a PNG or a JPEG";
  return "it is cut off or damaged; send the whole picture";
}

function isOpaque({ data, channels }: Pixels): boolean {
  for (let at = 3; channels === 4 && at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

async function withoutAlpha(pixels: Pixels): Promise<Pixels> {
  if (pixels.channels === 3) return pixels;
  return { ...pixels, data: await toSharp(pixels).removeAlpha().raw().toBuffer(), channels: 3 };
}

/** Wraps pixels as a sharp image. */
export const toSharp = ({ data, width, height, channels }: Pixels) =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: maxPixels });
