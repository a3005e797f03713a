/** Prepares pictures for the PDF: JPEG unchanged, everything else as PNG. External pictures are not fetched. */
import sharp from "sharp";
import { readBmp } from "./bmp.js";
import type { DocxPackage, Relationships } from "./docx-package.js";

/** Limits of decoded pixels per picture and in total. */
const maxPixels = 50_000_000;
const maxTotalPixels = 400_000_000;
/** Larger pictures are scaled down. */
const maxSidePixels = 5_000;
const supportedFormats = ["png", "jpeg", "gif", "webp", "tiff"];

export class Images {
  /** Encoded pictures by part path. */
  readonly files: Record<string, Buffer> = {};
  readonly #tried = new Set<string>();
  #pixels = 0;

  has(path: string): boolean {
    return Object.hasOwn(this.files, path);
  }

  /** Loads the pictures that a part refers to, except for those that cannot be read. */
  async load(file: DocxPackage, relationships: Relationships): Promise<void> {
    for (const { type, target, isExternal } of relationships.values()) {
      if (type !== "image" || isExternal || this.#tried.has(target)) continue;
      this.#tried.add(target);
      const bytes = file.bytes(target);
      const image = bytes && (await this.#convert(bytes).catch(() => null));
      if (image) this.files[target] = image;
    }
  }

  async #convert(bytes: Buffer): Promise<Buffer | null> {
    const bmp = readBmp(bytes, maxPixels);
    const image = bmp
      ? sharp(bmp.pixels, { raw: { width: bmp.width, height: bmp.height, channels: 3 } })
      : sharp(bytes, { limitInputPixels: maxPixels });
    const { format, width, height, channels } = await image.metadata();
    if (!bmp && !supportedFormats.includes(format)) return null;
    this.#pixels += width * height;
    if (this.#pixels > maxTotalPixels) return null;
    const isSmall = Math.max(width, height) <= maxSidePixels;
    if (format === "jpeg" && isSmall && (channels === 1 || channels === 3)) {
      // Decoding detects damage before the picture reaches the PDF.
      await image.clone().stats();
      return bytes;
    }
    return image
      .resize({ width: maxSidePixels, height: maxSidePixels, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .png({ compressionLevel: 6 })
      .toBuffer();
  }
}
