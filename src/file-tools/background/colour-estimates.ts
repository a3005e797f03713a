/** Estimates the pure background and foreground colours along the outline of the object, where pixels mix the two. */
import { buildColourField, type ColourField, type Rgb, sampleChannel } from "./colour-field.js";
import type { SmallCopy } from "./small-copy.js";

/** Colours from 0 to 255 at a point of the small copy. */
export interface ColourEstimates {
  background(x: number, y: number): Rgb;
  foreground(x: number, y: number): Rgb;
}

/** Pixels on either side of the outline that may mix both colours. */
const mixedPixels = 2;
/** Block sizes, in pixels of the small copy. The background is smoother than the object. */
const backgroundBlock = 4;
const foregroundBlock = 3;
/** Contrast with the background, of 255, from which a pixel of the object has its full weight. */
const fullWeightContrast = 120;
const minWeight = 0.02;
/** Pixels inside the mixed zone at which the object's colour is certainly pure. */
const purePixels = 5;

/** Takes the signed distance of each pixel from the outline, positive inside the object. */
export function estimateColours({ width, height, rgb }: SmallCopy, distance: Float32Array): ColourEstimates {
  const distanceAt = (at: number) => distance[at] as number;
  const field = buildColourField(rgb, width, height, backgroundBlock, (at) =>
    distanceAt(at) < -mixedPixels ? 1 : 0,
  );
  const background = (x: number, y: number) => colourOf(field, x / backgroundBlock, y / backgroundBlock);
  // Pixels that look like the background, as between strands of hair, say little about the object's colour.
  const foreground = buildColourField(rgb, width, height, foregroundBlock, (at) => {
    const depth = distanceAt(at) - mixedPixels;
    if (depth <= 0) return 0;
    const behind = background((at % width) + 0.5, Math.floor(at / width) + 0.5);
    const contrast = Math.hypot(...behind.map((value, c) => (rgb[at * 3 + c] as number) - value));
    const weight = Math.min(1, Math.max(minWeight, (contrast / fullWeightContrast) ** 2));
    return weight * Math.min(1, depth / purePixels) ** 2;
  });
  return {
    background,
    foreground: (x, y) => colourOf(foreground, x / foregroundBlock, y / foregroundBlock),
  };
}

const colourOf = (field: ColourField, x: number, y: number): Rgb => [
  sampleChannel(field, x, y, 0),
  sampleChannel(field, x, y, 1),
  sampleChannel(field, x, y, 2),
];
