/** Writes the Contents.json file that turns a folder of icons into an Xcode asset catalogue. */
import { type Asset, assetPath } from "./assets.js";

export const xcodeContentsFile = "Contents.json";

/** Returns the Contents.json file of each folder that is an asset catalogue. */
export function xcodeCatalogues(assets: readonly Asset[]): Map<string, Uint8Array> {
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
