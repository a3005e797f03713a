/** Pictures as pdf.js has decoded them, and their pixels as sharp takes them. */
import { UnreadableFileError } from "../engine.js";
import type { PdfPage } from "./open.js";
import type { Painted } from "./operators.js";
import { mostPixels } from "./weigh.js";

/** As pdf.js hands it over; `data` of a stencil may be a name. */
interface Image {
  width: number;
  height: number;
  kind?: number;
  data?: Uint8Array | Uint8ClampedArray | string;
}

export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 1 | 3 | 4;
}

const MB = 2 ** 20;
/** Bytes of one page's pictures, which pdf.js decodes all before it gives any. */
const mostDecoded = 200 * MB;

/** From here on pdf.js keeps no more of the page's pictures than there is memory for; what it returns is called once all have come. */
export function limitPictures({ objs }: PdfPage, number: number): () => void {
  const keep = objs.resolve.bind(objs);
  let bytes = 0;
  objs.resolve = (name: string, image: Image | null = null) => {
    if (ArrayBuffer.isView(image?.data)) bytes += image.data.byteLength;
    keep(name, bytes > mostDecoded ? null : image);
  };
  return () => {
    if (bytes > mostDecoded)
      throw new UnreadableFileError(
        `the pictures of page ${number} take more than ${mostDecoded / MB} MB together; send smaller pictures`,
      );
  };
}

/** Null where it cannot be decoded. */
export async function bitmapOf(page: PdfPage, { image, stencil }: Painted): Promise<Pixels | null> {
  const found = await imageOf(page, image);
  return found && (stencil === null ? pixelsOf(found) : stencilled(found, stencil));
}

async function imageOf(page: PdfPage, image: unknown): Promise<Image | null> {
  if (typeof image === "string") return named(page, image);
  const inline = image as Image | null;
  if (typeof inline?.data !== "string") return inline;
  const shared = await named(page, inline.data);
  return shared && { ...inline, ...shared };
}

/** pdf.js calls back when the picture is decoded, with null when it could not be. */
function named(page: PdfPage, name: string): Promise<Image | null> {
  const objects = name.startsWith("g_") ? page.commonObjs : page.objs;
  return new Promise((resolve) => objects.get(name, resolve));
}

/** One bit, three or four bytes a pixel, as pdf.js's ImageKind numbers them. */
function pixelsOf({ width, height, kind, data }: Image): Pixels | null {
  if (!data || typeof data === "string" || !(width * height <= mostPixels)) return null;
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

/** Where a stencil's bit is clear, its colour shows. */
function stencilled({ width, height, data }: Image, colour: string): Pixels | null {
  if (!data || typeof data === "string" || !(width * height <= mostPixels)) return null;
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
