import sharp from "sharp";
import { describe, expect, it } from "vitest";
import table from "../../../fixtures/store-assets.json" with { type: "json" };
import { pngOf } from "../../support/forms.js";
import { isLong } from "../../support/repetitions.js";
import { assetsOf, type Files, make } from "./client.js";

/** Drawing Apple's many screenshots takes seconds, so that short runs draw those of Google Play alone. */
const platformOf = { icon: "both", splash: "both", screenshot: isLong ? "both" : "play" } as const;

describe.each(["icon", "screenshot", "splash"] as const)("every %s of fixtures/store-assets.json", (kind) => {
  const platform = platformOf[kind];
  const assets = table.assets.filter(
    (asset) => asset.kind === kind && (platform === "both" || asset.platform === platform),
  );
  const pathOf = ({ folder, name, width, height }: (typeof assets)[number]) =>
    `${folder}/${name}-${width}x${height}.png`;

  it("is in the zip, with its size and folder in its name, and nothing else", async () => {
    const pictures = Object.keys(await assetsOf(kind, platform)).filter((name) => name.endsWith(".png"));
    expect(pictures.sort()).toEqual(assets.map(pathOf).sort());
  });

  it("has the size in its name, and alpha only if its store accepts it", async () => {
    const files = await assetsOf(kind, platform);
    for (const asset of assets) {
      const { width, height, format, depth, hasAlpha } = await sharp(files[pathOf(asset)]).metadata();
      expect({ width, height, format, depth, hasAlpha }, pathOf(asset)).toEqual({
        ...{ width: asset.width, height: asset.height, hasAlpha: asset.alpha },
        ...{ format: "png", depth: "uchar" },
      });
    }
  });
});

/** Sizes that the stores' own pages name, whatever the table says. */
it.each([
  ["play", "icon", 512, 512],
  ["play", "icon", 192, 192],
  ["play", "icon", 432, 432],
  ["play", "screenshot", 1024, 500],
  ["play", "screenshot", 1080, 1920],
  ["play", "splash", 1280, 1920],
  ["ios", "icon", 1024, 1024],
  ["ios", "icon", 167, 167],
  ["ios", "screenshot", 1320, 2868],
  ["ios", "screenshot", 2064, 2752],
  ["ios", "splash", 2732, 2732],
])("the table has the %s %s of %i by %i pixels", (platform, kind, width, height) => {
  expect(table.assets).toContainEqual(expect.objectContaining({ platform, kind, width, height }));
});

it("makes the same files for both platforms as for each separately", async () => {
  const [both, play, ios] = [
    await assetsOf("icon"),
    await assetsOf("icon", "play"),
    await assetsOf("icon", "ios"),
  ];
  const separate: Files = { ...play, ...ios };
  expect(Object.keys(separate).sort()).toEqual(Object.keys(both).sort());
  for (const [name, bytes] of Object.entries(both))
    expect(Buffer.compare(separate[name] ?? Buffer.alloc(0), bytes), name).toBe(0);
  expect(Object.keys(ios).filter((name) => !name.startsWith("ios/"))).toEqual([]);
});

it("makes an asset catalogue with every icon once per device, with its size in points and scale", async () => {
  const files = await make(pngOf(1000), "icon", "ios");
  const folder = "ios/icon/AppIcon.appiconset/";
  const { images } = JSON.parse(new TextDecoder().decode(files[`${folder}Contents.json`]));
  const named = new Set(images.map(({ filename }: { filename: string }) => folder + filename));
  expect(named).toEqual(new Set(Object.keys(files).filter((name) => name.endsWith(".png"))));
  for (const { filename, size, scale } of images) {
    const pixels = Number.parseFloat(size) * Number.parseInt(scale, 10);
    expect(filename).toContain(`-${pixels}x${pixels}.png`);
  }
  const entries = images.map(({ idiom, size, scale }: Record<string, string>) => `${idiom} ${size} ${scale}`);
  expect(new Set(entries).size).toBe(entries.length);
  expect(entries).toContain("ipad 83.5x83.5 2x");
});
