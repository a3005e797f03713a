import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { pngOf } from "../../support/forms.js";
import { useSandbox } from "../../support/sandbox.js";
import { badge, type Files, type Kind, make as makeWith, open } from "./client.js";
import { iosIcons, launcherIcons, screenshots, splashes } from "./sizes.js";

const sandbox = useSandbox();
const make = (bytes: Uint8Array, kind: Kind, platform?: string): Promise<Files> =>
  makeWith(sandbox.account(), bytes, kind, platform);

const made = new Map<string, Promise<Files>>();
/** Makes the assets of the badge, each kind once. */
function assetsOf(kind: Kind, platform = "both"): Promise<Files> {
  const name = `${kind} ${platform}`;
  const assets =
    made.get(name) ??
    badge
      .clone()
      .png()
      .toBuffer()
      .then((bytes) => make(bytes, kind, platform));
  made.set(name, assets);
  return assets;
}

describe.each([
  ["icon", [...launcherIcons, ...iosIcons]],
  ["screenshot", screenshots],
  ["splash", splashes],
] as const)("every %s that the stores require", (kind, expected) => {
  let files: Files;
  beforeAll(async () => {
    files = await assetsOf(kind);
  });

  it("is in the zip, with its size and folder in its name, and nothing else", () => {
    const pictures = Object.keys(files).filter((name) => !name.endsWith("Contents.json"));
    expect(pictures.sort()).toEqual(expected.map(({ path }) => path).sort());
  });

  it("has the size in its name, and alpha only if its store accepts it", async () => {
    for (const { path, width, height, alpha } of expected) {
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
  });
});

it.each(["icon", "splash"] as const)(
  "makes the same files for both platforms as for each separately (%s)",
  async (kind) => {
    const both = await assetsOf(kind);
    const play = await assetsOf(kind, "play");
    const ios = await assetsOf(kind, "ios");
    expect({ ...play, ...ios }).toEqual(both);
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
