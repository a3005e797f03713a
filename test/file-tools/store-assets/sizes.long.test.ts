import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { readPicture } from "../../../src/file-tools/picture.js";
import {
  assetPath,
  assetsFor,
  drawAsset,
  readEdge,
} from "../../../src/file-tools/store-assets/draw-asset.js";
import { encodeAsset } from "../../../src/file-tools/store-assets/make.js";
import { pngOf } from "../../support/forms.js";
import { isLong, shareOf } from "../../support/repetitions.js";
import { assetsOf, badge, type Files, make, open } from "./client.js";
import { iosIcons, launcherIcons, screenshots, splashes } from "./sizes.js";

/** Drawing Apple's many screenshots takes seconds. Short runs draw only a few of them. */
const screenshotPlatform = isLong ? "both" : "play";
const isIosScreenshot = ({ path }: { path: string }): boolean => path.startsWith("ios/");

describe.each([
  ["icon", "both", [...launcherIcons, ...iosIcons]],
  [
    "screenshot",
    screenshotPlatform,
    isLong ? screenshots : screenshots.filter((asset) => !isIosScreenshot(asset)),
  ],
  ["splash", "both", splashes],
] as const)("every %s that the stores require (%s)", (kind, platform, expected) => {
  let files: Files;
  beforeAll(async () => {
    files = await assetsOf(kind, platform);
  });

  it("is in the zip, with its size and folder in its name, and nothing else", () => {
    const pictures = Object.keys(files).filter((name) => !name.endsWith("Contents.json"));
    expect(pictures.sort()).toEqual(expected.map(({ path }) => path).sort());
  });

  it("has the size in its name, and alpha only if its store accepts it", async () => {
    for (const asset of expected) await expectAsset(files, asset);
  });
});

async function expectAsset(
  files: Files,
  { path, width, height, alpha }: (typeof screenshots)[number],
): Promise<void> {
  const drawn = await open(files, path);
  const { format, depth, hasAlpha } = await sharp(files[path]).metadata();
  expect({ path, width: drawn.width, height: drawn.height, format, depth, hasAlpha }).toEqual({
    path,
    width,
    height,
    format: "png",
    depth: "uchar",
    hasAlpha: alpha,
  });
}

describe("the screenshots that Apple requires", () => {
  const expected = screenshots.filter(isIosScreenshot);
  const assets = assetsFor("screenshot", "ios");

  it("are all in the table", () => {
    expect(assets.map((asset) => assetPath(asset, "png")).sort()).toEqual(
      expected.map(({ path }) => path).sort(),
    );
  });

  it.each(shareOf(expected, 9, 0))("are drawn in the size in their name: $path", async (shot) => {
    const picture = await readPicture(await badge.clone().png().toBuffer());
    const asset = assets.find((candidate) => assetPath(candidate, "png") === shot.path);
    if (!asset) throw new Error(`no asset ${shot.path}`);
    const pixels = await drawAsset(asset, picture, await readEdge(picture));
    const { format, bytes } = await encodeAsset(asset, pixels, false);
    expect(format).toBe("png");
    await expectAsset({ [shot.path]: bytes }, shot);
  });
});

it.each(["icon", "splash"] as const)(
  "makes the same files for both platforms as for each separately (%s)",
  async (kind) => {
    const both = await assetsOf(kind);
    const play = await assetsOf(kind, "play");
    const ios = await assetsOf(kind, "ios");
    const separate: Files = { ...play, ...ios };
    expect(Object.keys(separate).sort()).toEqual(Object.keys(both).sort());
    for (const [name, bytes] of Object.entries(both))
      expect(Buffer.compare(separate[name] ?? Buffer.alloc(0), bytes), name).toBe(0);
    expect(Object.keys(play).filter((name) => !name.startsWith("play/"))).toEqual([]);
    expect(Object.keys(ios).filter((name) => !name.startsWith("ios/"))).toEqual([]);
  },
);

it("makes an asset catalogue with every icon once per device, with its size in points and scale", async () => {
  const files = await assetsOf("icon", "ios");
  const folder = "ios/icon/AppIcon.appiconset/";
  const { images } = JSON.parse(new TextDecoder().decode(files[`${folder}Contents.json`]));
  expect(new Set(images.map(({ filename }: { filename: string }) => folder + filename))).toEqual(
    new Set(iosIcons.map(({ path }) => path)),
  );
  for (const { filename, size, scale } of images) {
    const pixels = Number.parseFloat(size) * Number.parseInt(scale, 10);
    expect(filename).toContain(`-${pixels}x${pixels}.png`);
  }
  const entries = images.map(({ idiom, size, scale }: Record<string, string>) => `${idiom} ${size} ${scale}`);
  expect(new Set(entries).size).toBe(entries.length);
  expect(entries).toContain("ipad 83.5x83.5 2x");
});

it("accepts a picture of one pixel", async () => {
  const files = await make(pngOf(1000), "icon", "ios");
  expect(Object.keys(files)).toHaveLength(iosIcons.length + 1);
});
