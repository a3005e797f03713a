/** Tells object from background on the small copy. */
import { type Deviation, deviate } from "./deviation.js";
import { flood } from "./flood.js";
import { findGround, refit } from "./ground.js";
import { takeBackLeaks } from "./leaks.js";
import { regionsOf } from "./regions.js";
import type { SmallCopy } from "./small-copy.js";
import { enterStrands } from "./strands.js";

export interface Mask {
  /** Above zero where the background is. */
  background: Uint8Array;
}

/** Of all pixels: smaller things that lie by themselves are dust. */
const speck = 0.0004;
/** Of the largest: so much smaller they are. */
const besideLargest = 0.02;
/** Of all pixels: only so large a patch of the ground's colour within the object is a hole, not a light or a label. */
const hole = 0.0012;
/** However uneven the ground is. */
const mostNear = 0.035;
/** Of all pixels: with less left there was no object to be found. */
const leastObject = 0.004;

/** Of what counts as near: a hole is nearer in the mean. */
const evenness = 0.7;
/** Of the usual difference in hue that a shadow may have. */
const strictHue = 0.45;

/** Null: there is no plain background, or nothing before it. */
export function findMask(copy: SmallCopy): Mask | null {
  const ground = findGround(copy);
  if (!ground) return null;
  const { width, height } = copy;
  const { noise } = ground;
  const background = new Uint8Array(width * height);
  const deviation = deviate(copy, ground);
  const seeds = ground.seeds.map(({ x, y }) => y * width + x);
  flood(copy, deviation, noise, [...seeds, ...rim(width, height)], background);
  const beside = takeBackLeaks(copy, noise, background);
  if (beside.length > 0) {
    // Once more for the shadow alone: a thing that is nearly as grey differs in hue.
    flood(copy, deviation, noise, beside, background, strictHue);
    takeBackLeaks(copy, noise, background);
  }
  enterStrands(copy, deviation, noise, background);
  openHoles(copy, deviate(copy, refit(ground, copy, background)), noise, background);
  const objects = dropSpecks(copy, background);
  return objects < leastObject * background.length ? null : { background };
}

/** The outermost pixels, which belong to the ground wherever they have its colour. */
function rim(width: number, height: number): number[] {
  const across = Array.from({ length: width }, (_, x) => [x, (height - 1) * width + x]);
  const down = Array.from({ length: height }, (_, y) => [y * width, y * width + width - 1]);
  return [...across, ...down].flat();
}

/** Patches that show the ground's very colour, as evenly as the ground does. */
function openHoles(copy: SmallCopy, deviation: Deviation, noise: number, background: Uint8Array): void {
  const { distance } = deviation;
  const near = Math.min(mostNear, 0.014 + 1.8 * noise);
  const patches = regionsOf(
    copy.width,
    copy.height,
    (at) => !background[at] && (distance[at] as number) < near,
  );
  for (const { pixels } of patches) {
    if (pixels.length < hole * background.length) continue;
    const mean = pixels.reduce((sum, at) => sum + (distance[at] as number), 0) / pixels.length;
    if (mean < near * evenness) flood(copy, deviation, noise, pixels, background);
  }
}

/** Gives dust to the background; returns how many pixels the objects have. */
function dropSpecks({ width, height }: SmallCopy, background: Uint8Array): number {
  const objects = regionsOf(width, height, (at) => !background[at]);
  const largest = objects.reduce((most, { pixels }) => Math.max(most, pixels.length), 0);
  let kept = 0;
  for (const { pixels } of objects) {
    const isSpeck = pixels.length < Math.min(speck * background.length, besideLargest * largest);
    if (isSpeck) for (const at of pixels) background[at] = 1;
    else kept += pixels.length;
  }
  return kept;
}
