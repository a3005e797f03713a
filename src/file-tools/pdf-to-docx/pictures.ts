/** Encodes a page's pictures as PNG or JPEG, upright and with their masks applied. */
import { createHash } from "node:crypto";
import sharp from "sharp";
import { UnreadableFileError } from "../engine.js";
import { type Bitmap, decodeBitmap } from "./bitmaps.js";
import { type Matrix, transformBox } from "./matrix.js";
import type { PdfPage } from "./open-pdf.js";
import type { PaintedImage } from "./operators.js";
import { type Box, containsCentre, heightOf, type PagePicture, type TextRun, widthOf } from "./page-model.js";
import { maxPagePixels } from "./unpacked-size.js";

type EncodedPicture = Pick<PagePicture, "data" | "type">;

/** Smaller pictures are lines and spacers. */
const minSidePoints = 4;
/** A picture with more colours is a photo and becomes a JPEG. */
const maxPngColours = 256;
const jpegOptions = { quality: 90, chromaSubsampling: "4:4:4", mozjpeg: false } as const;

const bytesPerMb = 2 ** 20;
const maxStoreBytes = 100 * bytesPerMb;

/** The document's pictures, each stored once however often it is painted. */
export class PictureStore {
  readonly #kept = new Map<string, EncodedPicture>();
  #bytes = 0;

  keep(encoded: EncodedPicture): EncodedPicture {
    const id = createHash("sha256").update(encoded.data).digest("base64");
    const known = this.#kept.get(id);
    if (known) return known;
    this.#kept.set(id, encoded);
    this.#bytes += encoded.data.length;
    if (this.#bytes > maxStoreBytes)
      throw new UnreadableFileError(
        `its pictures take more than ${maxStoreBytes / bytesPerMb} MB; send smaller pictures or fewer pages`,
      );
    return encoded;
  }
}

/** A painted picture and its position. `encoded` is null if it cannot be decoded. */
export interface PlacedPicture {
  box: Box;
  encoded: EncodedPicture | null;
}

export async function readPictures(
  page: PdfPage,
  images: readonly PaintedImage[],
  store: PictureStore,
): Promise<PlacedPicture[]> {
  const encodedByKey = new Map<string, EncodedPicture | null>();
  const placed: PlacedPicture[] = [];
  for (const image of images) {
    const box = transformBox(image.matrix, 0, 0, 1, 1);
    if (!(widthOf(box) >= minSidePoints && heightOf(box) >= minSidePoints)) continue;
    const orientation = orientationOf(image.matrix);
    const key =
      typeof image.image === "string"
        ? JSON.stringify([image.image, image.stencilColour, orientation])
        : null;
    const known = key === null ? undefined : encodedByKey.get(key);
    const bitmap = known === undefined ? await decodeBitmap(page, image) : null;
    const encoded = known ?? (bitmap && store.keep(await encodeBitmap(bitmap, orientation)));
    if (key !== null) encodedByKey.set(key, encoded);
    placed.push({ box, encoded });
  }
  return placed;
}

interface Orientation {
  mirrored: boolean;
  upsideDown: boolean;
  onItsSide: boolean;
}

/** In an upright picture `a` is positive and `d` negative, since the unit square's y axis points up and the page's down. */
function orientationOf([a, b, c, d]: Matrix): Orientation {
  const onItsSide = Math.abs(b) + Math.abs(c) > Math.abs(a) + Math.abs(d);
  return onItsSide
    ? { onItsSide, mirrored: b < 0, upsideDown: c < 0 }
    : { onItsSide, mirrored: a < 0, upsideDown: d > 0 };
}

async function encodeBitmap(
  { data, width, height, channels }: Bitmap,
  { mirrored, upsideDown, onItsSide }: Orientation,
): Promise<EncodedPicture> {
  let image = sharp(data, { raw: { width, height, channels }, limitInputPixels: maxPagePixels });
  // sharp mirrors before it rotates, in whatever order they are called.
  if (mirrored) image = image.flop();
  if (upsideDown) image = image.flip();
  if (onItsSide) image = image.rotate(90);
  if (channels === 3 && countColours(data) > maxPngColours)
    return { type: "jpg", data: await image.jpeg(jpegOptions).toBuffer() };
  const png = channels === 1 ? image.png({ palette: true, colours: 2 }) : image.png();
  return { type: "png", data: await png.toBuffer() };
}

/** Counts the colours in a few thousand evenly spaced pixels. */
function countColours(data: Uint8Array): number {
  const colours = new Set<number>();
  const step = Math.max(3, 3 * Math.floor(data.length / 3 / 4096));
  for (let at = 0; at + 2 < data.length; at += step)
    colours.add(((data[at] as number) << 16) | ((data[at + 1] as number) << 8) | (data[at + 2] as number));
  return colours.size;
}

/** Returns a test for invisible text over a picture that shows it. If a picture is lost, the text replaces it instead. */
export function isShownInPictures(placed: readonly PlacedPicture[]): (run: TextRun) => boolean {
  const isComplete = placed.every(({ encoded }) => encoded);
  return (run) => isComplete && run.invisible && placed.some(({ box }) => containsCentre(box, run));
}
