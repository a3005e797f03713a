/** The file formats and sizes of assets. */
import { unzipSync } from "fflate";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { makeStoreAssets } from "../../../src/tools/store-assets/make.js";
import { badge, type Files, type Kind, svg } from "./client.js";

/** Returns pseudo-random bytes with a fixed seed. */
function noise(bytes: number): Buffer {
  let state = 3;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  };
  return Buffer.from(Array.from({ length: bytes }, next));
}

/** Noise of two colours, which takes one bit per pixel. */
const speckled = (): Promise<Buffer> =>
  sharp(
    noise(400 * 300).map((value) => (value < 128 ? 0 : 255)),
    { raw: { width: 400, height: 300, channels: 1 } },
  )
    .png({ palette: true, colours: 2, compressionLevel: 9 })
    .toBuffer();

const make = async (bytes: Uint8Array, kind: Kind): Promise<Files> =>
  unzipSync(await makeStoreAssets(bytes, { kind, platform: "play" }));

const endings = (files: Files): Set<string> => new Set(Object.keys(files).map((name) => name.slice(-4)));

describe("screenshots", () => {
  it("of a well compressed noisy picture are JPEGs of at most half a byte per pixel", async () => {
    const file = await speckled();
    expect(file.length).toBeLessThan(400 * 300 * 0.2);
    const files = await make(file, "screenshot");
    expect(endings(files)).toEqual(new Set([".jpg"]));
    for (const [name, bytes] of Object.entries(files)) {
      const { width, height, format } = await sharp(bytes).metadata();
      expect(name).toMatch(new RegExp(`-${width}x${height}\\.jpg$`));
      expect({ name, format }).toEqual({ name, format: "jpeg" });
      expect(bytes.length / (width * height), name).toBeLessThanOrEqual(0.5);
    }
  });

  it("of random colours are at most half a byte per pixel", async () => {
    const random = sharp(noise(1500 * 1500 * 3), { raw: { width: 1500, height: 1500, channels: 3 } });
    const files = await make(await random.png().toBuffer(), "screenshot");
    for (const [name, bytes] of Object.entries(files)) {
      const { width, height } = await sharp(bytes).metadata();
      expect(bytes.length / (width * height), name).toBeLessThanOrEqual(0.5);
    }
  });

  it.each([
    ["an uncompressed drawing", () => badge.clone().png({ compressionLevel: 0 }).toBuffer()],
    [
      "lines of text",
      () =>
        svg(540, 960, `<rect width="540" height="960" fill="#fff"/>${lines}`)
          .png({ palette: true })
          .toBuffer(),
    ],
  ])("of %s are PNGs", async (_, file) => {
    expect(endings(await make(await file(), "screenshot"))).toEqual(new Set([".png"]));
  });
});

const lines = Array.from(
  { length: 30 },
  (_, row) => `<text x="20" y="${30 + row * 30}" font-size="16">Paid to Ada Stores, row ${row}</text>`,
).join("");

it.each(["icon", "splash"] as const)(
  "every %s is a PNG, the only format that stores accept for it",
  async (kind) => {
    expect(endings(await make(await speckled(), kind))).toEqual(new Set([".png"]));
  },
);
