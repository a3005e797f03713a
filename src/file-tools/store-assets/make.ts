/**
 * Makes a zip of every size that the app stores require. The picture is always whole and never stretched: an icon on its
 * edge colour or on transparency, a screenshot on its edge colour or, if that varies, on a blurred copy of itself, a
 * splash screen in the middle of its edge colour.
 */
import { type Zippable, zipSync } from "fflate";
import type { Engine } from "../engine.js";
import { readPicture } from "../picture.js";
import { type Asset, type AssetKind, assetPath, assetsFor, type Platform } from "./assets.js";
import { drawAsset } from "./draw-asset.js";
import { readEdge } from "./edge.js";
import { type EncodedAsset, encodeAsset } from "./encode-asset.js";

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
