/** Converts images decoded by pdf.js to raw pixels for sharp. */
import { UnreadableFileError } from "../engine.js";
import type { PdfPage } from "./open-pdf.js";
import type { PaintedImage } from "./operators.js";
import { maxPagePixels } from "./unpacked-size.js";

/** pdf.js's decoded image. The `data` of an image mask may be the name of a shared object. */
interface PdfImage {
  width: number;
  height: number;
  kind?: number;
  data?: Uint8Array | Uint8ClampedArray | string;
}

export interface Bitmap {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 1 | 3 | 4;
}

const bytesPerMb = 2 ** 20;
/** Limit per page, because pdf.js decodes all images of a page before it returns any. */
const maxDecodedBytes = 200 * bytesPerMb;

/** Discards decoded images of the page beyond the limit. Returns a function that throws if any were discarded. */
export function limitDecodedBytes({ objs }: PdfPage, number: number): () => void {
  const keep = objs.resolve.bind(objs);
  let bytes = 0;
  objs.resolve = (name: string, image: PdfImage | null = null) => {
    if (ArrayBuffer.isView(image?.data)) bytes += image.data.byteLength;
    keep(name, bytes > maxDecodedBytes ? null : image);
  };
  return () => {
    if (bytes > maxDecodedBytes)
      throw new UnreadableFileError(
        `the pictures of page ${number} take more than ${maxDecodedBytes / bytesPerMb} MB together; send smaller pictures`,
      );
  };
}

/** Returns null if the image cannot be decoded. */
export async function decodeBitmap(
  page: PdfPage,
  { image, stencilColour }: PaintedImage,
): Promise<Bitmap | null> {
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
  if (!data || typeof data === "string" || !(width * height <= maxPagePixels)) return null;
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

/** Paints an image mask, whose clear bits show the fill colour. */
function toStencil({ width, height, data }: PdfImage, colour: string): Bitmap | null {
  if (!data || typeof data === "string" || !(width * height <= maxPagePixels)) return null;
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
