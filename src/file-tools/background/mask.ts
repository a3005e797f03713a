/** Segments the small copy into object and background. */

import { fitBackground, refitBackground } from "./background-model.js";
import { type ColourDeviation, measureDeviation } from "./deviation.js";
import { floodFill } from "./flood-fill.js";
import { reclaimLeaks } from "./leaks.js";
import { connectedRegions } from "./regions.js";
import type { SmallCopy } from "./small-copy.js";

/** Isolated objects below both limits are specks: a share of all pixels, and a share of the largest object. */
const maxSpeckShare = 0.0004;
const maxSpeckOfLargest = 0.02;
/** Smaller patches of the background's colour within the object, as a share of all pixels, are not holes but highlights. */
const minHoleShare = 0.0012;
/** Upper limit of the colour distance within a hole, however noisy the background is. */
const maxColourDistance = 0.035;
/** With a smaller share of all pixels left, no object was found. */
const minObjectShare = 0.004;

/** Limit of the mean colour distance of a hole, as a factor of the limit per pixel. */
const holeMeanFactor = 0.7;
/** Hue threshold, as a factor of the usual one, for the second fill after a leak. */
const strictHueFactor = 0.45;

export interface FoundBackground {
  /** A mask that is nonzero on the background. */
  background: Uint8Array;
  /** How plain the background is, 0 to 1. */
  confidence: number;
}

/** Returns null without a plain background or an object. */
export function findBackground(copy: SmallCopy): FoundBackground | null {
  const model = fitBackground(copy);
  if (!model) return null;
  const { width, height } = copy;
  const { noise } = model;
  const background = new Uint8Array(width * height);
  const deviation = measureDeviation(copy, model);
  const seeds = model.seeds.map(({ x, y }) => y * width + x);
  floodFill(copy, deviation, noise, [...seeds, ...outermostPixels(width, height)], background);
  const besideLeaks = reclaimLeaks(copy, noise, background);
  if (besideLeaks.length > 0) {
    // Fills the shadow again without the object, whose hue differs even if it is nearly as grey.
    floodFill(copy, deviation, noise, besideLeaks, background, strictHueFactor);
    reclaimLeaks(copy, noise, background);
  }
  openHoles(copy, measureDeviation(copy, refitBackground(model, copy, background)), noise, background);
  const objectPixels = removeSpecks(copy, background);
  if (objectPixels < minObjectShare * background.length) return null;
  return { background, confidence: model.confidence };
}

/** Returns the outermost pixels, which are seeds wherever they have the background's colour. */
function outermostPixels(width: number, height: number): number[] {
  const across = Array.from({ length: width }, (_, x) => [x, (height - 1) * width + x]);
  const down = Array.from({ length: height }, (_, y) => [y * width, y * width + width - 1]);
  return [...across, ...down].flat();
}

/** Fills patches inside the object that have exactly the background's colour. */
function openHoles(copy: SmallCopy, deviation: ColourDeviation, noise: number, background: Uint8Array): void {
  const { distance } = deviation;
  const near = Math.min(maxColourDistance, 0.014 + 1.8 * noise);
  const patches = connectedRegions(
    copy.width,
    copy.height,
    (at) => !background[at] && (distance[at] as number) < near,
  );
  for (const pixels of patches) {
    if (pixels.length < minHoleShare * background.length) continue;
    const mean = pixels.reduce((sum, at) => sum + (distance[at] as number), 0) / pixels.length;
    if (mean < near * holeMeanFactor) floodFill(copy, deviation, noise, pixels, background);
  }
}

/** Marks specks as background and returns the number of pixels of the remaining objects. */
function removeSpecks({ width, height }: SmallCopy, background: Uint8Array): number {
  const objects = connectedRegions(width, height, (at) => !background[at]);
  const largest = objects.reduce((most, pixels) => Math.max(most, pixels.length), 0);
  let kept = 0;
  for (const pixels of objects) {
    const isSpeck = pixels.length < Math.min(maxSpeckShare * background.length, maxSpeckOfLargest * largest);
    if (isSpeck) for (const at of pixels) background[at] = 1;
    else kept += pixels.length;
  }
  return kept;
}
