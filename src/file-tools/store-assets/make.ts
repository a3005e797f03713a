/**
 * Makes a zip of every size that the app stores require. The picture is always whole and never stretched: an icon on its
 * edge colour or on transparency, a screenshot on its edge colour or, if that varies, on a blurred copy of itself, a
 * splash screen in the middle of its edge colour.
 */

import { type Zippable, zipSync } from "fflate";
import type { Engine } from "../engine.js";
import { type Pixels, readPicture, toSharp } from "../picture.js";
import {
  type Asset,
  type AssetKind,
  assetPath,
  assetsFor,
  drawAsset,
  type Format,
  type Platform,
  readEdge,
} from "./draw-asset.js";

/**
 * Drawings and screenshots compress to far fewer bytes per pixel as PNG, and most photos do as JPEG. A PNG above the
 * limit is treated as a photo, and a JPEG above it as noise that needs a lower quality.
 */
const photoBytesPerPixel = 0.5;
/** Maximum number of pixels for the highest compression level, at which larger pictures would take seconds. */
const maxBestCompressionPixels = 512 * 512;

/** Low bits of each channel to drop, in turn, until a PNG fits. */
const droppedBits = [0, 1, 2, 3, 4, 5];
/** Qualities to try, in turn, until a JPEG fits. Chroma subsampling comes last, because it blurs coloured text. */
const jpegQualities = [
  { quality: 92, chromaSubsampling: "4:4:4" },
  { quality: 82, chromaSubsampling: "4:4:4" },
  { quality: 62, chromaSubsampling: "4:2:0" },
  { quality: 40, chromaSubsampling: "4:2:0" },
];

interface EncodedAsset {
  format: Format;
  bytes: Uint8Array;
}

/** Encodes as JPEG if the store accepts it and the picture is a photo or too large as a PNG, otherwise as PNG. */
async function encodeAsset(asset: Asset, pixels: Pixels, isPhoto: boolean): Promise<EncodedAsset> {
  const maxBytes = asset.max_bytes ?? Number.POSITIVE_INFINITY;
  if (!asset.formats.includes("jpg"))
    return {
      format: "png",
      bytes: await encodeWithin(droppedBits, maxBytes, (bits) => encodePng(asset, pixels, bits)),
    };
  const photoBytes = Math.min(maxBytes, asset.width * asset.height * photoBytesPerPixel);
  if (!isPhoto) {
    const bytes = await encodePng(asset, pixels, 0);
    if (bytes.length <= photoBytes) return { format: "png", bytes };
  }
  return {
    format: "jpg",
    bytes: await encodeWithin(jpegQualities, photoBytes, (quality) => encodeJpeg(pixels, quality)),
  };
}

/** Returns the first encoding within the limit, or the last one. */
async function encodeWithin<Step>(
  steps: readonly Step[],
  maxBytes: number,
  write: (step: Step) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  let file: Uint8Array = new Uint8Array();
  for (const step of steps) {
    file = await write(step);
    if (file.length <= maxBytes) break;
  }
  return file;
}

function encodePng({ alpha, width, height }: Asset, pixels: Pixels, bits: number): Promise<Uint8Array> {
  const picture = toSharp(bits === 0 ? pixels : dropLowBits(pixels, bits));
  return (alpha ? picture.ensureAlpha() : picture.removeAlpha())
    .png({ compressionLevel: width * height <= maxBestCompressionPixels ? 9 : 6, palette: false })
    .toBuffer();
}

/** Encodes a JPEG. Optimised Huffman coding would save 5% and take four times as long. */
const encodeJpeg = (pixels: Pixels, quality: (typeof jpegQualities)[number]): Promise<Uint8Array> =>
  toSharp(pixels)
    .removeAlpha()
    .jpeg({ ...quality, optimiseCoding: false })
    .toBuffer();

function dropLowBits({ data, ...size }: Pixels, bits: number): Pixels {
  const step = 1 << bits;
  const rounded = data.map((value, at) =>
    size.channels === 4 && at % 4 === 3 ? value : value - (value % step) + step / 2,
  );
  return { ...size, data: Buffer.from(rounded.buffer) };
}

const xcodeContentsFile = "Contents.json";

/** Returns the Contents.json file of each folder that is an asset catalogue. */
function xcodeCatalogues(assets: readonly Asset[]): Map<string, Uint8Array> {
  const folders = new Set(assets.filter(({ idioms }) => idioms).map(({ folder }) => folder));
  return new Map([...folders].map((folder) => [folder, contentsJson(folder, assets)]));
}

function contentsJson(folder: string, assets: readonly Asset[]): Uint8Array {
  const images = assets
    .filter((asset) => asset.folder === folder)
    .flatMap((asset) => (asset.idioms ?? []).map((idiom) => imageEntry(asset, idiom)));
  const info = { author: "xcode", version: 1 };
  return new TextEncoder().encode(`${JSON.stringify({ images, info }, null, 2)}\n`);
}

/** Parses the size in points and the scale from a name such as icon-83.5x83.5@2x. */
function imageEntry(asset: Asset, idiom: string) {
  const [, size = "", scale = "1"] = /-([\d.x]+?)(?:@(\d)x)?$/.exec(asset.name) ?? [];
  const filename = assetPath(asset, "png").slice(asset.folder.length + 1);
  return { filename, idiom, scale: `${scale}x`, size };
}

export interface StoreAssetsOptions {
  kind: AssetKind;
  platform: Platform | "both";
}

/** Longest side of any asset. Larger uploads are scaled down when they are decoded. */
const maxSidePixels = 2880;

/** Pictures are stored uncompressed. The fixed local date keeps the bytes the same at any time and in any time zone. */
const zipOptions = { level: 0, mtime: "1980-01-01T00:00:00" } as const;

export const makeStoreAssets: Engine<StoreAssetsOptions> = async (bytes, { kind, platform }) => {
  const picture = await readPicture(bytes, maxSidePixels);
  const edge = await readEdge(picture);
  const assets = assetsFor(kind, platform);
  const files: Zippable = {};
  const encodedBySpec = new Map<string, EncodedAsset>();
  // Once an asset is encoded as a photo, the platform's following assets are too, whether or not both were requested.
  const photos = new Set<Platform>(picture.isPhoto ? ["play", "ios"] : []);
  for (const asset of assets) {
    const { platform, shape, width, height, alpha, max_bytes } = asset;
    const spec = [platform, shape, width, height, alpha, max_bytes].join();
    const encoded =
      encodedBySpec.get(spec) ??
      (await encodeAsset(asset, await drawAsset(asset, picture, edge), photos.has(platform)));
    encodedBySpec.set(spec, encoded);
    if (encoded.format === "jpg") photos.add(platform);
    files[assetPath(asset, encoded.format)] = encoded.bytes;
  }
  for (const [folder, contents] of xcodeCatalogues(assets))
    files[`${folder}/${xcodeContentsFile}`] = contents;
  return zipSync(files, zipOptions);
};
