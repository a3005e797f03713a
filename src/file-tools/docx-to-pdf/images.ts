/** Prepares pictures for the PDF: JPEG unchanged, everything else as PNG. External pictures are not fetched. */
import sharp from "sharp";
import { readBmp } from "./bmp.js";
import type { DocxPackage, Relationships } from "./docx-package.js";

/** Limit of decoded pixels per picture. */
const maxPixels = 50_000_000;
/** Limits of the pixels that Typst decodes, which it keeps in memory. Larger pictures are scaled down. */
const maxDrawnPixels = 4_000_000;
const maxTotalDrawnPixels = 16_000_000;
/** Quality of photos that are scaled down, up to 100. */
const photoQuality = 85;
const supportedFormats = ["png", "jpeg", "gif", "webp", "tiff"];

export class Images {
  /** Encoded pictures by the paths that the template knows. */
  readonly files = new Map<string, Buffer>();
  readonly #paths = new Map<string, string>();

  /** Returns the path of a part's picture, or undefined if it cannot be shown. */
  pathOf(part: string): string | undefined {
    return this.#paths.get(part);
  }

  /** Loads the pictures that parts refer to, except for those that cannot be read. */
  async load(file: DocxPackage, parts: readonly Relationships[]): Promise<void> {
    const targets = new Set(
      parts.flatMap((relationships) =>
        [...relationships.values()].flatMap(({ type, target, isExternal }) =>
          type === "image" && !isExternal ? [target] : [],
        ),
      ),
    );
    const limit = Math.min(maxDrawnPixels, maxTotalDrawnPixels / Math.max(1, targets.size));
    for (const target of targets) {
      const bytes = file.bytes(target);
      const image = bytes && (await convert(bytes, limit).catch(() => null));
      if (!image) continue;
      const path = `/picture-${this.files.size}`;
      this.files.set(path, image);
      this.#paths.set(target, path);
    }
  }
}

/** Converts a picture to JPEG or PNG with at most `limit` pixels. Returns null if it cannot be shown. */
async function convert(bytes: Buffer, limit: number): Promise<Buffer | null> {
  const bmp = readBmp(bytes, maxPixels);
  const image = bmp
    ? sharp(bmp.pixels, { raw: { width: bmp.width, height: bmp.height, channels: 3 } })
    : sharp(bytes, { limitInputPixels: maxPixels });
  const { format, width, height, channels } = await image.metadata();
  if (!bmp && !supportedFormats.includes(format)) return null;
  const isPhoto = format === "jpeg" && (channels === 1 || channels === 3);
  const scale = Math.sqrt(limit / (width * height));
  if (isPhoto && scale >= 1) {
    // Decoding detects damage before the picture reaches the PDF.
    await image.clone().stats();
    return bytes;
  }
  const scaled = scale < 1 ? image.resize({ width: Math.max(1, Math.floor(width * scale)) }) : image;
  if (isPhoto) return scaled.keepMetadata().jpeg({ quality: photoQuality }).toBuffer();
  return scaled
    .flatten({ background: "#ffffff" })
    .toColourspace("srgb")
    .png({ compressionLevel: 6 })
    .toBuffer();
}
