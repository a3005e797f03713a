/** Writes one asset in a format that its store takes, within the bytes that it takes. */
import { fromPixels, type Pixels } from "../picture.js";
import type { Asset, Format } from "./table.js";

export const formatOf = ({ formats }: Asset, isPhoto: boolean): Format =>
  (isPhoto ? formats.at(-1) : formats[0]) ?? "png";

/** Lowest bits of each colour that are let go, one after the other, until the file fits; noise shows it last. */
const mostLoss = 5;
/** Encoded as well as it goes up to here; larger ones would take seconds. */
const smallPixels = 512 * 512;

export async function encode(asset: Asset, pixels: Pixels, format: Format): Promise<Uint8Array> {
  const write = format === "png" ? png : jpeg;
  let file = await write(asset, pixels, 0);
  for (let loss = 1; loss <= mostLoss && file.length > (asset.max_bytes ?? Number.POSITIVE_INFINITY); loss++)
    file = await write(asset, pixels, loss);
  return file;
}

function png({ alpha, width, height }: Asset, pixels: Pixels, loss: number): Promise<Uint8Array> {
  const picture = fromPixels(loss === 0 ? pixels : coarser(pixels, loss));
  return (alpha ? picture.ensureAlpha() : picture.removeAlpha())
    .png({ compressionLevel: width * height <= smallPixels ? 9 : 6, palette: false })
    .toBuffer();
}

/** Colours of screens and type stay as sharp as their light. Coding that is optimised saves a twentieth and takes four times as long. */
const jpeg = (_asset: Asset, pixels: Pixels, loss: number): Promise<Uint8Array> =>
  fromPixels(pixels)
    .removeAlpha()
    .jpeg({ quality: 92 - 10 * loss, chromaSubsampling: "4:4:4", optimiseCoding: false })
    .toBuffer();

function coarser({ data, ...size }: Pixels, bits: number): Pixels {
  const step = 1 << bits;
  const rounded = data.map((value, at) =>
    size.channels === 4 && at % 4 === 3 ? value : value - (value % step) + step / 2,
  );
  return { ...size, data: Buffer.from(rounded.buffer) };
}
