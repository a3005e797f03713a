/** A page's pictures as PNG or JPEG, as they are seen: upright, their masks applied. */
import { createHash } from "node:crypto";
import sharp from "sharp";
import { UnreadableFileError } from "../engine.js";
import { bitmapOf, type Pixels } from "./bitmaps.js";
import { boxOf, type Matrix } from "./geometry.js";
import { type Box, heightOf, holds, type Picture, type Run, widthOf } from "./model.js";
import type { PdfPage } from "./open.js";
import type { Painted } from "./operators.js";
import { mostPixels } from "./weigh.js";

type Encoded = Pick<Picture, "data" | "type">;

/** Smaller ones are rules and spacers. Points. */
const smallest = 4;
/** Colours beyond which a picture is a photograph. */
const mostFlatColours = 256;
const photograph = { quality: 90, chromaSubsampling: "4:4:4", mozjpeg: false } as const;

const MB = 2 ** 20;
/** Bytes of all pictures of the document. */
const mostKept = 100 * MB;

/** The document's pictures, each kept once however often it is painted. */
export class Album {
  readonly #kept = new Map<string, Encoded>();
  #bytes = 0;

  keep(encoded: Encoded): Encoded {
    const id = createHash("sha256").update(encoded.data).digest("base64");
    const known = this.#kept.get(id);
    if (known) return known;
    this.#kept.set(id, encoded);
    this.#bytes += encoded.data.length;
    if (this.#bytes > mostKept)
      throw new UnreadableFileError(
        `its pictures come to more than ${mostKept / MB} MB; send smaller pictures or fewer pages`,
      );
    return encoded;
  }
}

/** What is painted and where it stands; null for what cannot be decoded. */
export interface Placed {
  box: Box;
  encoded: Encoded | null;
}

export async function placed(page: PdfPage, painted: readonly Painted[], album: Album): Promise<Placed[]> {
  const known = new Map<string, Encoded | null>();
  const out: Placed[] = [];
  for (const what of painted) {
    const box = boxOf(what.matrix, 0, 0, 1, 1);
    if (!(widthOf(box) >= smallest && heightOf(box) >= smallest)) continue;
    const turn = turnOf(what.matrix);
    const name = typeof what.image === "string" ? JSON.stringify([what.image, what.stencil, turn]) : null;
    const before = name === null ? undefined : known.get(name);
    const pixels = before === undefined ? await bitmapOf(page, what) : null;
    const encoded = before ?? (pixels && album.keep(await encode(pixels, turn)));
    if (name !== null) known.set(name, encoded);
    out.push({ box, encoded });
  }
  return out;
}

interface Turn {
  mirrored: boolean;
  upsideDown: boolean;
  onItsSide: boolean;
}

/** The unit square stands on its foot: upright, `a` is above zero and `d` below, for a page's y grows downwards. */
function turnOf([a, b, c, d]: Matrix): Turn {
  const onItsSide = Math.abs(b) + Math.abs(c) > Math.abs(a) + Math.abs(d);
  return onItsSide
    ? { onItsSide, mirrored: b < 0, upsideDown: c < 0 }
    : { onItsSide, mirrored: a < 0, upsideDown: d > 0 };
}

async function encode({ data, width, height, channels }: Pixels, turn: Turn): Promise<Encoded> {
  let image = sharp(data, { raw: { width, height, channels }, limitInputPixels: mostPixels });
  // sharp mirrors first and turns then.
  if (turn.mirrored) image = image.flop();
  if (turn.upsideDown) image = image.flip();
  if (turn.onItsSide) image = image.rotate(90);
  if (channels === 3 && coloursOf(data) > mostFlatColours)
    return { type: "jpg", data: await image.jpeg(photograph).toBuffer() };
  const png = channels === 1 ? image.png({ palette: true, colours: 2 }) : image.png();
  return { type: "png", data: await png.toBuffer() };
}

/** Of a few thousand pixels, evenly spread. */
function coloursOf(data: Uint8Array): number {
  const colours = new Set<number>();
  const step = Math.max(3, 3 * Math.floor(data.length / 3 / 4096));
  for (let at = 0; at + 2 < data.length; at += step)
    colours.add(((data[at] as number) << 16) | ((data[at + 1] as number) << 8) | (data[at + 2] as number));
  return colours.size;
}

/** Whether pictures show it. Where one of them is lost, as layers of scans may be, the words stand for it. */
export function picturedBy(seen: readonly Placed[]): (run: Run) => boolean {
  const isWhole = seen.every(({ encoded }) => encoded);
  return (run) => isWhole && run.invisible && seen.some(({ box }) => holds(box, run));
}
