import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createBackgroundRemover } from "../../../src/file-tools/background/remove.js";
import { oncePer } from "../../support/once-per.js";
import { pngOfSize } from "../../support/pictures.js";
import {
  bottle,
  even,
  gradient,
  handleHole,
  heldBox,
  meanError,
  mug,
  overlap,
  type ProductPhoto,
  paleBox,
  person,
  shadow,
  strands,
  takePhoto,
  vignette,
  whiteShoe,
} from "../../support/product-photos.js";
import { isLong } from "../../support/repetitions.js";
import { noise } from "../store-assets/client.js";
import { type Cut, decode } from "./decode.js";

/** The built-in algorithm, whether or not a model is installed. */
const cutOut = createBackgroundRemover(async () => null);

/** Removes the background of a photo, once per photo. */
const cutFile = oncePer((photo: ProductPhoto) => cutOut(photo.file, {}));
const cut = async (photo: ProductPhoto): Promise<Cut> => decode(await cutFile(photo));

/** Photos are smaller in short runs, except for strands of hair and for a shoe that the algorithm has to shrink. */
const scale = isLong ? 1 : 0.6;
const wall = gradient("#f4f6f8", "#c9ced6");
const mugInVignette = await mug({ scale, ground: vignette("#f2f2f0", "#8f9092") });
type Case = readonly [name: string, take: () => Promise<ProductPhoto>, maxError: number, minOverlap: number];
/** Only in long runs. The other photos also have white grounds, gradients, shadows, hair, and an object at the border. */
const similarPhotos: readonly Case[] = [
  ["a mug on plain white", () => mug({ scale, ground: even("#ffffff") }), 0.001, 0.997],
  [
    "a mug before a gradient, with its shadow",
    () => mug({ scale, ground: wall + shadow(440, 575, 230, 26) }),
    0.003,
    0.99,
  ],
  ["a box that a hand holds into the picture", () => heldBox({ scale }), 0.002, 0.995],
  ["a person with loose hair", () => person({ scale, ground: vignette("#dfe5e2", "#aab5b0") }), 0.009, 0.975],
];
const photos: readonly Case[] = [
  ["a mug in a vignette", async () => mugInVignette, 0.002, 0.995],
  ["a mug on a dark ground", () => mug({ scale, ground: even("#1f2937") }), 0.001, 0.997],
  ["a pale box on white", () => paleBox({ scale }), 0.007, 0.975],
  ["a white shoe on its shadow", whiteShoe, 0.008, 0.965],
  ["a dark bottle in a grainy JPEG", () => bottle({ scale }), 0.003, 0.99],
];

describe("the transparency of the result", () => {
  it.each(isLong ? [...photos, ...similarPhotos] : photos)(
    "is close to the true one for %s",
    async (_, take, maxError, minOverlap) => {
      const photo = await take();
      const { width, height, alpha } = await cut(photo);
      expect({ width, height }).toEqual({ width: photo.width, height: photo.height });
      expect(meanError(alpha, photo)).toBeLessThan(maxError);
      expect(overlap(alpha, photo)).toBeGreaterThan(minOverlap);
    },
  );

  it("includes the hole in a mug's handle, but not its label", async () => {
    const { width, alpha } = await cut(mugInVignette);
    expect(alpha[handleHole.y * scale * width + handleHole.x * scale]).toBe(0);
    expect(alpha[360 * scale * width + 400 * scale]).toBe(255);
  });

  it("separates strands of hair and removes most of the colour behind them", async () => {
    // Cut off below the shoulders, since the strands are above.
    const photo = await person({ height: 620, ground: even("#4ade80") });
    const { data, alpha } = await cut(photo);
    const before = await sharp(photo.file).ensureAlpha().raw().toBuffer();
    const greenOnWhite = (pixels: Buffer) =>
      mean((at) => (greenness(pixels, at) * (pixels[at * 4 + 3] ?? 0)) / 255);
    expect(greenOnWhite(data)).toBeLessThan(0.15 * greenOnWhite(before));
    expect(mean((at) => Math.abs((alpha[at] ?? 0) - (photo.alpha[at] ?? 0)) / 255)).toBeLessThan(0.07);
    expect(meanError(alpha, photo)).toBeLessThan(0.009);
    expect(overlap(alpha, photo)).toBeGreaterThan(0.975);
  });

  it("keeps the shading inside a sharp edge", async () => {
    const ball = `<defs><radialGradient id="ball"><stop offset="0.4" stop-color="#312e81"/><stop offset="1" stop-color="#a5b4fc"/></radialGradient></defs><circle cx="300" cy="300" r="200" fill="url(#ball)"/>`;
    const photo = await takePhoto({
      width: 600,
      height: 600,
      scale,
      thing: ball,
      ground: even("#ffffff"),
      noise: 3,
    });
    expect(meanError((await cut(photo)).alpha, photo)).toBeLessThan(0.004);
  });
});

/** Returns the mean over the pixels with strands of hair. */
function mean(of: (at: number) => number): number {
  const { left, top, right, bottom } = strands;
  let sum = 0;
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += of(y * 900 + x);
  return sum / ((bottom - top) * (right - left));
}

/** Returns by how much a pixel's green exceeds its red and blue. */
function greenness(data: Buffer, at: number): number {
  const [red = 0, green = 0, blue = 0] = data.subarray(at * 4, at * 4 + 3);
  return Math.max(0, green - Math.max(red, blue));
}

describe("a picture with nothing to remove", () => {
  it("stays opaque without a plain background", async () => {
    expect(Math.min(...(await decode(await cutOut(await noise(300), {}))).alpha)).toBe(255);
  });

  it("stays opaque if less than 45 % of its border is one smooth surface", async () => {
    const bands = ["#93c5fd", "#fca5a5", "#86efac"].map(
      (colour, at) => `<rect x="${at * 100}" width="100" height="300" fill="${colour}"/>`,
    );
    const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300">${bands.join("")}<circle cx="150" cy="150" r="60"/></svg>`;
    const file = await sharp(Buffer.from(scene)).png().toBuffer();
    expect(Math.min(...(await decode(await cutOut(file, {}))).alpha)).toBe(255);
  });

  it("stays opaque if there is nothing but background", async () => {
    expect(Math.min(...(await decode(await cutOut(pngOfSize(200, 100), {}))).alpha)).toBe(255);
  });

  it("keeps its transparency if it is already cut out", async () => {
    const once = await cutFile(mugInVignette);
    expect((await decode(await cutOut(once, {}))).data.equals((await decode(once)).data)).toBe(true);
  });

  it.each([1, 2, 3])("may be %i pixels wide", async (side) => {
    const { width, height } = await decode(await cutOut(pngOfSize(side, 5), {}));
    expect({ width, height }).toEqual({ width: side, height: 5 });
  });
});
