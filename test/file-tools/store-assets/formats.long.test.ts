/** The file formats and sizes of assets. */
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { isLong } from "../../support/repetitions.js";
import { badge, type Files, make, noise, noiseBytes, svg } from "./client.js";

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
  it("of a well compressed noisy picture are JPEGs of at most half a byte per pixel", async () => {
    const file = await speckled();
    expect(file.length).toBeLessThan(400 * 300 * 0.2);
    const files = await make(file, "screenshot", "play");
    expect(endings(files)).toEqual(new Set([".jpg"]));
    for (const [name, bytes] of Object.entries(files)) {
      const { width, height, format } = await sharp(bytes).metadata();
      expect(name).toMatch(new RegExp(`-${width}x${height}\\.jpg$`));
      expect({ name, format }).toEqual({ name, format: "jpeg" });
      expect(bytes.length / (width * height), name).toBeLessThanOrEqual(0.5);
    }
  });

  it("of random colours are at most half a byte per pixel", async () => {
    const files = await make(await noise(1080), "screenshot", "play");
    for (const [name, bytes] of Object.entries(files)) {
      const { width, height } = await sharp(bytes).metadata();
      expect(bytes.length / (width * height), name).toBeLessThanOrEqual(0.5);
    }
  });

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
