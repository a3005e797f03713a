/** Encodes a page's pictures as PNG or JPEG, upright and with their masks applied. */

import { createHash } from "node:crypto";
import sharp from "sharp";
import { UnreadableFileError } from "../engine.js";
import { maxPixels } from "../picture.js";
import { bytesPerMb } from "./bounded-memory.js";
import type { PdfPage } from "./open-pdf.js";
import type { PaintedImage } from "./operators.js";
import {
  type Box,
  containsCentre,
  heightOf,
  type Matrix,
  type PagePicture,
  type TextRun,
  transformBox,
  widthOf,
} from "./page-model.js";

/** pdf.js's decoded image. The `data` of an image mask may be the name of a shared object. */
interface PdfImage {
  width: number;
  height: number;
  kind?: number;
  data?: Uint8Array | Uint8ClampedArray | string;
}

interface Bitmap {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 1 | 3 | 4;
}

/** Decodes an image. Returns null if that is not possible. */
async function decodeBitmap(page: PdfPage, { image, stencilColour }: PaintedImage): Promise<Bitmap | null> {
  const found = await resolveImage(page, image);
  return found && (stencilColour === null ? toBitmap(found) : toStencil(found, stencilColour));
}

async function resolveImage(page: PdfPage, image: unknown): Promise<PdfImage | null> {
  if (typeof image === "string") return imageByName(page, image);
  const inline = image as PdfImage | null;
  if (typeof inline?.data !== "string") return inline;
  const shared = await imageByName(page, inline.data);
  return shared && { ...inline, ...shared };
}

/** Waits until pdf.js has decoded the image. Resolves to null if it could not. */
function imageByName(page: PdfPage, name: string): Promise<PdfImage | null> {
  const objects = name.startsWith("g_") ? page.commonObjs : page.objs;
  return new Promise((resolve) => objects.get(name, resolve));
}

/** Reads the formats of pdf.js's ImageKind: 1 bit (1), RGB (2) or RGBA (3) per pixel. */
function toBitmap({ width, height, kind, data }: PdfImage): Bitmap | null {
  if (!data || typeof data === "string") return null;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (kind === 1) return { data: unpackBits(bytes, width, height, 0, 255), width, height, channels: 1 };
  const channels = kind === 2 ? 3 : 4;
  return bytes.length === width * height * channels ? { data: bytes, width, height, channels } : null;
}

function unpackBits(bits: Uint8Array, width: number, height: number, zero: number, one: number): Uint8Array {
  const row = (width + 7) >> 3;
  const bytes = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = ((bits[y * row + (x >> 3)] ?? 255) >> (7 - (x & 7))) & 1;
      bytes[y * width + x] = bit ? one : zero;
    }
  return bytes;
}

/** Paints an image mask. Its clear bits show the fill colour. */
function toStencil({ width, height, data }: PdfImage, colour: string): Bitmap | null {
  if (!data || typeof data === "string") return null;
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) || 0);
  const opacity = unpackBits(
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    width,
    height,
    255,
    0,
  );
  const bytes = new Uint8Array(width * height * 4);
  for (const [pixel, opaque] of opacity.entries())
    bytes.set([red as number, green as number, blue as number, opaque], pixel * 4);
  return { data: bytes, width, height, channels: 4 };
}

type EncodedPicture = Pick<PagePicture, "data" | "type">;

/** Minimum side of a picture in points. Smaller pictures are lines and spacers. */
const minSidePoints = 4;
/** Maximum number of colours of a PNG. A picture with more is a photo and becomes a JPEG. */
const maxPngColours = 256;
const jpegOptions = { quality: 90, chromaSubsampling: "4:4:4", mozjpeg: false } as const;

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

/**
 * Returns the orientation of a picture. If it is upright, `a` is positive and `d` negative, because the unit square's y
 * axis points up and the page's points down.
 */
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
  // sharp does not recognise arrays whose constructor is currently replaced.
  let image = sharp(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    raw: { width, height, channels },
    limitInputPixels: maxPixels,
  });
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
