/**
 * Cuts the object out at full size (alpha matting). The mask decides deep inside and far outside the object. Along the
 * outline, a pixel's opacity follows from its contrast with the background, whose colour is then removed from it.
 */

import type { Picture, Pixels } from "../picture.js";
import type { SmallCopy } from "./small-copy.js";

const straight = 1;
const diagonal = Math.SQRT2;

/** Returns each pixel's distance from the outline, positive inside the object. `background` is nonzero outside the object. */
function signedDistance(background: Uint8Array, width: number, height: number): Float32Array {
  const inside = distanceFrom(background, true, width, height);
  const outside = distanceFrom(background, false, width, height);
  return inside.map((value, at) => (background[at] ? 0.5 - (outside[at] as number) : value - 0.5));
}

/**
 * Returns the two-pass chamfer distance to the nearest pixel that is background, or is not, within 10% of the true
 * distance.
 */
function distanceFrom(
  background: Uint8Array,
  isBackground: boolean,
  width: number,
  height: number,
): Float32Array {
  const far = width + height;
  const distance = Float32Array.from(background, (mark) => (mark > 0 === isBackground ? 0 : far));
  const relax = (x: number, y: number, direction: 1 | -1) => {
    const at = y * width + x;
    let least = distance[at] as number;
    const see = (dx: number, dy: number, length: number) => {
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) return;
      least = Math.min(least, (distance[at + dy * width + dx] as number) + length);
    };
    see(-direction, 0, straight);
    see(0, -direction, straight);
    see(-1, -direction, diagonal);
    see(1, -direction, diagonal);
    distance[at] = least;
  };
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) relax(x, y, 1);
  for (let y = height - 1; y >= 0; y--) for (let x = width - 1; x >= 0; x--) relax(x, y, -1);
  return distance;
}

type Rgb = [red: number, green: number, blue: number];

interface ColourField {
  width: number;
  height: number;
  /** Red, green and blue of each block, 0 to 255. */
  colours: Float32Array;
}

interface WeightedField extends ColourField {
  weights: Float32Array;
}

/** Builds a field with blocks of `block` pixels a side. `weightAt` gives the weight of each RGB pixel, 0 to 1. */
function buildColourField(
  rgb: Buffer,
  width: number,
  height: number,
  block: number,
  weightAt: (at: number) => number,
): ColourField {
  const level = emptyField(Math.ceil(width / block), Math.ceil(height / block));
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const weight = weightAt(at);
      if (weight === 0) continue;
      const to = Math.floor(y / block) * level.width + Math.floor(x / block);
      for (let c = 0; c < 3; c++) add(level.colours, to * 3 + c, weight * (rgb[at * 3 + c] as number));
      add(level.weights, to, weight);
    }
  }
  return fillGaps(level);
}

const emptyField = (width: number, height: number): WeightedField => ({
  width,
  height,
  colours: new Float32Array(width * height * 3),
  weights: new Float32Array(width * height),
});

function add(array: Float32Array, at: number, value: number): void {
  array[at] = (array[at] as number) + value;
}

/** Fills blocks of little weight with the colour at the same place at half the resolution, recursively. */
function fillGaps(level: WeightedField): ColourField {
  const { width, height, colours, weights } = level;
  const coarse = width > 1 || height > 1 ? fillGaps(halveResolution(level)) : null;
  const mean = new Float32Array(colours.length);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const weight = weights[at] as number;
      const share = Math.min(1, weight);
      for (let c = 0; c < 3; c++) {
        const own = weight > 0 ? (colours[at * 3 + c] as number) / weight : 0;
        const filler = coarse && share < 1 ? sampleChannel(coarse, (x + 0.5) / 2, (y + 0.5) / 2, c) : 0;
        mean[at * 3 + c] = share * own + (1 - share) * filler;
      }
    }
  }
  return { width, height, colours: mean };
}

function halveResolution({ width, height, colours, weights }: WeightedField): WeightedField {
  const half = emptyField(Math.ceil(width / 2), Math.ceil(height / 2));
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const to = (y >> 1) * half.width + (x >> 1);
      for (let c = 0; c < 3; c++) add(half.colours, to * 3 + c, colours[at * 3 + c] as number);
      add(half.weights, to, weights[at] as number);
    }
  }
  return half;
}

/** Interpolates one channel bilinearly. `x` and `y` are in blocks from the upper left corner. */
function sampleChannel({ width, height, colours }: ColourField, x: number, y: number, c: number): number {
  const px = Math.min(width - 1, Math.max(0, x - 0.5));
  const py = Math.min(height - 1, Math.max(0, y - 0.5));
  const left = Math.floor(px);
  const top = Math.floor(py);
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const at = (column: number, row: number) => colours[(row * width + column) * 3 + c] as number;
  const upper = at(left, top) + (px - left) * (at(right, top) - at(left, top));
  const lower = at(left, bottom) + (px - left) * (at(right, bottom) - at(left, bottom));
  return upper + (py - top) * (lower - upper);
}

/** Colours from 0 to 255 at a point of the small copy. */
interface ColourEstimates {
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

/**
 * Estimates the colours around the outline. `distance` is the signed distance of each pixel from it, positive inside
 * the object.
 */
function estimateColours({ width, height, rgb }: SmallCopy, distance: Float32Array): ColourEstimates {
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

/** Matted zone around the outline, in pixels of the small copy. It is wider outside, because of hair. */
const outwardPixels = 9;
const inwardPixels = 3.5;
/** Contrast, of 255, from which the matted zone reaches `maxDepthPixels` into the object. */
const clearContrast = 120;
const maxDepthPixels = 12;
/** Lower limit of the estimated contrast between object and background, of 255. */
const minContrast = 26;
/** Share of the contrast from which a pixel is opaque. It is below 1 because objects vary in colour. */
const opaqueShare = 0.85;

interface MattingContext {
  distance: Float32Array;
  colours: ColourEstimates;
  /** Contrast with the background, of 255, that is noise. */
  noise: number;
  /** Pixels of the small copy per pixel of the picture. */
  scale: { x: number; y: number };
}

/** Makes the background transparent. `background` is a mask of the small copy that is nonzero on the background. */
export function cutOut(picture: Picture, copy: SmallCopy, background: Uint8Array): Pixels {
  const { width, height } = copy;
  const distance = signedDistance(background, width, height);
  const scale = { x: width / picture.width, y: height / picture.height };
  const matting: MattingContext = { distance, colours: estimateColours(copy, distance), noise: 0, scale };
  matting.noise = 2 + 1.9 * measureNoise(picture, copy, matting);
  const data = Buffer.alloc(picture.width * picture.height * 4);
  for (let y = 0; y < picture.height; y++) cutRow(picture, copy, matting, y, data);
  return { data, width: picture.width, height: picture.height, channels: 4 };
}

function cutRow(
  picture: Picture,
  { width, height }: SmallCopy,
  matting: MattingContext,
  y: number,
  data: Buffer,
): void {
  const { data: source, channels } = picture;
  const { distance: distances, scale } = matting;
  const row = Math.min(height - 1, Math.max(0, (y + 0.5) * scale.y - 0.5));
  const upper = Math.floor(row);
  const lower = Math.min(height - 1, upper + 1) * width;
  for (let x = 0; x < picture.width; x++) {
    const column = Math.min(width - 1, Math.max(0, (x + 0.5) * scale.x - 0.5));
    const left = Math.floor(column);
    const right = Math.min(width - 1, left + 1);
    const above = lerp(distances, upper * width + left, upper * width + right, column - left);
    const below = lerp(distances, lower + left, lower + right, column - left);
    const distance = above + (row - upper) * (below - above);
    const [copyX, copyY] = [(x + 0.5) * scale.x, (y + 0.5) * scale.y];
    if (distance <= -outwardPixels) continue;
    const to = (y * picture.width + x) * 4;
    const from = (y * picture.width + x) * channels;
    source.copy(data, to, from, from + 3);
    data[to + 3] = 255;
    if (distance < maxDepthPixels) mattePixel(data, to, distance, matting, copyX, copyY);
    if (channels === 4) data[to + 3] = ((data[to + 3] as number) * (source[from + 3] as number)) / 255;
    if (data[to + 3] === 0) data.fill(0, to, to + 3);
  }
}

const lerp = (values: Float32Array, a: number, b: number, share: number): number =>
  (values[a] as number) + share * ((values[b] as number) - (values[a] as number));

/** Sets the opacity and colour of one pixel. `distance`, `x` and `y` are in pixels of the small copy. */
function mattePixel(
  data: Buffer,
  to: number,
  distance: number,
  matting: MattingContext,
  x: number,
  y: number,
): void {
  const background = matting.colours.background(x, y);
  const foreground = matting.colours.foreground(x, y);
  let pixelContrast = 0;
  let fullContrast = 0;
  for (let c = 0; c < 3; c++) {
    pixelContrast += ((data[to + c] as number) - (background[c] as number)) ** 2;
    fullContrast += ((foreground[c] as number) - (background[c] as number)) ** 2;
  }
  const contrast = Math.max(minContrast, Math.sqrt(fullContrast));
  const byColour = colourAlpha(distance, Math.sqrt(pixelContrast), contrast, matting.noise);
  const byDepth = depthAlpha(distance, contrast);
  const fade = Math.min(1, (outwardPixels + distance) / 3);
  const alpha = distance > 0 ? Math.max(byColour, byDepth) : byColour * fade;
  data[to + 3] = Math.round(alpha * 255);
  if (alpha > 0 && byColour < 1) despill(data, to, byColour, byDepth, background, foreground);
}

/** Returns the opacity of a pixel by its contrast with the background. */
function colourAlpha(distance: number, pixelContrast: number, contrast: number, noise: number): number {
  // The noise threshold rises with the distance outside the outline.
  const ignored = Math.min(noise * (1 + Math.max(0, -distance - 1) / 4), contrast / 2);
  const full = opaqueShare * contrast;
  return Math.min(1, Math.max(0, (pixelContrast - ignored) / (full - ignored)));
}

/** Returns the opacity of a pixel by its depth inside the object, whatever its colour. */
function depthAlpha(distance: number, contrast: number): number {
  const depth = inwardPixels + (maxDepthPixels - inwardPixels) * Math.min(1, contrast / clearContrast);
  return Math.min(1, Math.max(0, distance) / depth) ** 2;
}

/** Opacity from which a pixel's own colour, with the background removed, is fully trusted. */
const reliableAlpha = 0.5;
const minAlpha = 0.01;

/**
 * Removes the background's colour from a mixed pixel. The fainter a pixel is, the more of the estimated foreground
 * colour it gets.
 */
function despill(
  data: Buffer,
  to: number,
  byColour: number,
  byDepth: number,
  background: readonly number[],
  foreground: readonly number[],
): void {
  const trust = Math.min(1, byColour / reliableAlpha);
  for (let c = 0; c < 3; c++) {
    const mixed = data[to + c] as number;
    const unmixed = (mixed - (1 - byColour) * (background[c] as number)) / Math.max(minAlpha, byColour);
    const pure = trust * Math.min(255, Math.max(0, unmixed)) + (1 - trust) * (foreground[c] as number);
    data[to + c] = Math.round(byDepth * mixed + (1 - byDepth) * pure);
  }
}

/** Interval, in pixels, at which noise is measured. */
const noiseSampleStep = 97;

/** Returns the median contrast, of 255, between the picture and the estimated background outside the object. */
function measureNoise(
  picture: Picture,
  { width, height }: SmallCopy,
  { distance, colours, scale }: MattingContext,
): number {
  const contrasts: number[] = [];
  for (let at = 0; at < picture.width * picture.height; at += noiseSampleStep) {
    const x = ((at % picture.width) + 0.5) * scale.x;
    const y = (Math.floor(at / picture.width) + 0.5) * scale.y;
    const copyAt = Math.min(height - 1, Math.floor(y)) * width + Math.min(width - 1, Math.floor(x));
    if ((distance[copyAt] as number) > -outwardPixels) continue;
    const colour = colours.background(x, y);
    const from = at * picture.channels;
    contrasts.push(Math.hypot(...colour.map((value, c) => (picture.data[from + c] as number) - value)));
  }
  return contrasts.sort((a, b) => a - b)[contrasts.length >> 1] ?? 0;
}
