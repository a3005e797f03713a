/** The Contents.json that makes a folder of icons an asset catalogue of Xcode. */
import { type Asset, pathOf } from "./table.js";

export const catalogueFile = "Contents.json";

/** Folders and what each is to have as its Contents.json. */
export function cataloguesOf(assets: readonly Asset[]): Map<string, Uint8Array> {
  const folders = new Set(assets.filter(({ idioms }) => idioms).map(({ folder }) => folder));
  return new Map([...folders].map((folder) => [folder, catalogue(folder, assets)]));
}

function catalogue(folder: string, assets: readonly Asset[]): Uint8Array {
  const images = assets
    .filter((asset) => asset.folder === folder)
    .flatMap((asset) => (asset.idioms ?? []).map((idiom) => entry(asset, idiom)));
  const info = { author: "xcode", version: 1 };
  return new TextEncoder().encode(`${JSON.stringify({ images, info }, null, 2)}\n`);
}

/** A name such as icon-83.5x83.5@2x says the points and the scale. */
function entry(asset: Asset, idiom: string) {
  const [, size = "", scale = "1"] = /-([\d.x]+?)(?:@(\d)x)?$/.exec(asset.name) ?? [];
  const filename = pathOf(asset, "png").slice(asset.folder.length + 1);
  return { filename, idiom, scale: `${scale}x`, size };
}
