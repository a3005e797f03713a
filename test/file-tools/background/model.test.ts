import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createBackgroundRemover } from "../../../src/file-tools/background/remove.js";
import { gradient, mug, overlap } from "../../support/product-photos.js";
import { decode } from "./decode.js";

describe("an installed model", () => {
  const photo = () => mug({ scale: 0.3, ground: gradient("#f4f6f8", "#c9ced6") });

  it("gets the picture upright, and its result is scaled to the picture's size", async () => {
    const seen: unknown[] = [];
    const engine = createBackgroundRemover(async () => ({
      async removeBackground(image) {
        const given = sharp(await image.arrayBuffer());
        const { width, height } = await given.metadata();
        seen.push({ type: image.type, width, height });
        // The left half is background, and the model's pictures are small.
        const { data } = await given.resize(90, 70).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
        for (let at = 0; at < 90 * 70; at++) data[at * 4 + 3] = at % 90 < 45 ? 0 : 255;
        const png = await sharp(data, { raw: { width: 90, height: 70, channels: 4 } })
          .png()
          .toBuffer();
        return new Blob([new Uint8Array(png)]);
      },
    }));
    const { width, height, alpha } = await decode(await engine((await photo()).file, {}));
    expect(seen).toEqual([{ type: "image/png", width: 270, height: 210 }]);
    expect({ width, height }).toEqual({ width: 270, height: 210 });
    expect([alpha[105 * 270 + 120], alpha[105 * 270 + 150]]).toEqual([0, 255]);
  });

  it("is replaced by the built-in algorithm if it fails", async () => {
    const taken = await photo();
    const engine = createBackgroundRemover(async () => ({
      removeBackground: () => Promise.reject(new Error("no memory")),
    }));
    expect(overlap((await decode(await engine(taken.file, {}))).alpha, taken)).toBeGreaterThan(0.99);
  });
});
