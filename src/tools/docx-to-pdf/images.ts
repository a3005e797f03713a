/** Pictures as a PDF can hold them: JPEG as it is, all else as PNG. Nothing outside the file is fetched. */
import sharp from "sharp";
import { readBmp } from "./bmp.js";
import type { Package, Relations } from "./package.js";

/** Decoded pixels of one picture, and of all together. */
const mostPixels = 50_000_000;
const mostPixelsInAll = 400_000_000;
/** No page shows more than so many a side; the rest is scaled away. */
const longestSide = 5_000;
const readable = ["png", "jpeg", "gif", "webp", "tiff"];

export class Images {
  /** By part path, as the PDF takes them. */
  readonly files: Record<string, Buffer> = {};
  readonly #tried = new Set<string>();
  #pixels = 0;

  has(path: string): boolean {
    return Object.hasOwn(this.files, path);
  }

  /** Makes ready whatever pictures a part refers to. Those that cannot be read are left out. */
  async load(file: Package, relations: Relations): Promise<void> {
    for (const { type, target, isExternal } of relations.values()) {
      if (type !== "image" || isExternal || this.#tried.has(target)) continue;
      this.#tried.add(target);
      const bytes = file.bytes(target);
      const image = bytes && (await this.#convert(bytes).catch(() => null));
      if (image) this.files[target] = image;
    }
  }

  async #convert(bytes: Buffer): Promise<Buffer | null> {
    const bmp = readBmp(bytes, mostPixels);
    const image = bmp
      ? sharp(bmp.pixels, { raw: { width: bmp.width, height: bmp.height, channels: 3 } })
      : sharp(bytes, { limitInputPixels: mostPixels });
    const { format, width, height, channels } = await image.metadata();
    if (!bmp && !readable.includes(format)) return null;
    this.#pixels += width * height;
    if (this.#pixels > mostPixelsInAll) return null;
    const isSmall = Math.max(width, height) <= longestSide;
    if (format === "jpeg" && isSmall && (channels === 1 || channels === 3)) {
      // Damage within shows here, not when the page is drawn.
      await image.clone().stats();
      return bytes;
    }
    return image
      .resize({ width: longestSide, height: longestSide, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .toColourspace("srgb")
      .png({ compressionLevel: 6 })
      .toBuffer();
  }
}
