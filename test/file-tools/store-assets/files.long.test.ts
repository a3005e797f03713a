/** The files of the zip: their sizes and formats. */
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import table from "../../../fixtures/store-assets.json" with { type: "json" };
import { pngOf } from "../../support/forms.js";
import { isLong } from "../../support/repetitions.js";
import { assetsOf, badge, type Files, make, noise, noiseBytes, photo, svg } from "./client.js";

/** Drawing Apple's many screenshots takes seconds, so that short runs draw those of Google Play alone. */
const platformOf = { icon: "both", splash: "both", screenshot: isLong ? "both" : "play" } as const;

describe.each(["icon", "screenshot", "splash"] as const)("every %s of fixtures/store-assets.json", (kind) => {
  const platform = platformOf[kind];
  const assets = table.assets.filter(
    (asset) => asset.kind === kind && (platform === "both" || asset.platform === platform),
  );
  const pathOf = ({ folder, name, width, height }: (typeof assets)[number]) =>
    `${folder}/${name}-${width}x${height}.png`;

  it("is in the zip, with its size and folder in its name, alpha only if its store accepts it, and nothing else", async () => {
    const files = await assetsOf(kind, platform);
    const pictures = Object.keys(files).filter((name) => name.endsWith(".png"));
    expect(pictures.sort()).toEqual(assets.map(pathOf).sort());
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

/** Noise of two colours, which takes one bit per pixel. */
const speckled = (): Promise<Buffer> =>
  sharp(
    noiseBytes(400 * 300).map((value) => (value < 128 ? 0 : 255)),
    { raw: { width: 400, height: 300, channels: 1 } },
  )
    .png({ palette: true, colours: 2, compressionLevel: 9 })
    .toBuffer();

const endings = (files: Files): Set<string> => new Set(Object.keys(files).map((name) => name.slice(-4)));

describe("screenshots", () => {
  it.each([
    ["a well compressed noisy picture", speckled, 400 * 300 * 0.2],
    ["random colours", () => noise(1080), Number.POSITIVE_INFINITY],
    ["a photo", () => photo.clone().jpeg().toBuffer(), Number.POSITIVE_INFINITY],
  ])(
    "of %s are JPEGs without alpha, of at most half a byte per pixel and 8 MB, the limit of Google Play",
    async (_, draw, maxBytes) => {
      const file = await draw();
      expect(file.length).toBeLessThan(maxBytes);
      for (const [name, bytes] of Object.entries(await make(file, "screenshot", "play"))) {
        const { width, height, format, hasAlpha } = await sharp(bytes).metadata();
        expect(name).toMatch(new RegExp(`-${width}x${height}\\.jpg$`));
        expect({ name, format, hasAlpha }).toEqual({ name, format: "jpeg", hasAlpha: false });
        expect(bytes.length).toBeLessThan(8 * 1024 * 1024);
        expect(bytes.length / (width * height), name).toBeLessThanOrEqual(0.5);
      }
    },
  );

  // An upload without compression has as many bytes per pixel as a photo.
  it.each([
    ["uncompressed lines of text", () => linesOfText().png({ compressionLevel: 0 })],
    ...(isLong
      ? ([
          ["an uncompressed drawing", () => badge.clone().png({ compressionLevel: 0 })],
          ["lines of text with a palette", () => linesOfText().png({ palette: true })],
        ] as const)
      : []),
  ] as const)("of %s are PNGs", async (_, picture) => {
    const file = await picture().toBuffer();
    expect(endings(await make(file, "screenshot", "play"))).toEqual(new Set([".png"]));
  });
});

function linesOfText(): Sharp {
  const lines = Array.from(
    { length: 30 },
    (_, row) => `<text x="20" y="${30 + row * 30}" font-size="16">Paid to Ada Stores, row ${row}</text>`,
  );
  return svg(540, 960, `<rect width="540" height="960" fill="#fff"/>${lines.join("")}`);
}

// Short runs check the format of icons where their size is limited, in drawing.test.ts.
it.each(isLong ? (["icon", "splash"] as const) : (["splash"] as const))(
  "every %s is a PNG, the only format that stores accept for it",
  async (kind) => {
    expect(endings(await make(await speckled(), kind, "play"))).toEqual(new Set([".png"]));
  },
);
