/**
 * Every size that the app stores ask for, as a zip. One picture is drawn at a time, whole and never stretched: an icon
 * on its own edge colour or on none, a screenshot on its edge colour or, where that varies, on itself out of focus, a
 * splash in the middle of its edge colour.
 */
import type { Engine } from "../engine.js";
import { readPicture } from "../picture.js";
import { Archive } from "./archive.js";
import { draw } from "./draw.js";
import { readEdge } from "./edge.js";
import { type Encoded, encode } from "./encode.js";
import { assetsFor, type Kind, type Platform, pathOf } from "./table.js";
import { catalogueFile, cataloguesOf } from "./xcode.js";

export interface StoreAssetsOptions {
  kind: Kind;
  platform: Platform | "both";
}

/** No asset is longer; what a larger picture has beyond it is let go at once. */
const longest = 2880;

export const makeStoreAssets: Engine<StoreAssetsOptions> = async (bytes, { kind, platform }) => {
  const picture = await readPicture(bytes, longest);
  const edge = await readEdge(picture);
  const assets = assetsFor(kind, platform);
  const archive = new Archive();
  const made = new Map<string, Encoded>();
  // What is a photo in one asset is one in those that follow; each platform's are the same without the other's.
  const photos = new Set<Platform>(picture.isPhoto ? ["play", "ios"] : []);
  for (const asset of assets) {
    const { platform, shape, width, height, alpha, max_bytes } = asset;
    const look = [platform, shape, width, height, alpha, max_bytes].join();
    const file =
      made.get(look) ?? (await encode(asset, await draw(asset, picture, edge), photos.has(platform)));
    made.set(look, file);
    if (file.format === "jpg") photos.add(platform);
    archive.add(pathOf(asset, file.format), file.bytes);
  }
  for (const [folder, contents] of cataloguesOf(assets)) archive.add(`${folder}/${catalogueFile}`, contents);
  return archive.end();
};
