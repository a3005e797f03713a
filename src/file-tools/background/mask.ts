/** Segments the small copy into object and background. */
import { type BackgroundModel, fitBackground, refitBackground } from "./background-model.js";
import type { SmallCopy } from "./small-copy.js";

/** Returns the 8-connected regions of pixels for which `belongs` is true, as lists of pixel indices. */
function connectedRegions(width: number, height: number, belongs: (at: number) => boolean): number[][] {
  const seen = new Uint8Array(width * height);
  const regions: number[][] = [];
  for (let at = 0; at < seen.length; at++) {
    if (seen[at] || !belongs(at)) continue;
    const pixels = [at];
    seen[at] = 1;
    for (let next = 0; next < pixels.length; next++)
      forEachNeighbour(pixels[next] as number, width, height, (to) => {
        if (seen[to] || !belongs(to)) return;
        seen[to] = 1;
        pixels.push(to);
      });
    regions.push(pixels);
  }
  return regions;
}

function forEachNeighbour(at: number, width: number, height: number, visit: (to: number) => void): void {
  const x = at % width;
  const y = (at - x) / width;
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++)
      if (row !== y || column !== x) visit(row * width + column);
}

/** Difference of each pixel from the nearest background colour, in OKLab. */
interface ColourDeviation {
  /** Colour distance. */
  distance: Float32Array;
  /** Lightness difference, negative in a shadow. */
  shade: Float32Array;
  /** Chroma difference after correcting for lightness, which a shadow leaves unchanged. */
  hue: Float32Array;
}

const minLightness = 0.05;

/** Compares every pixel with the nearest surface of the fitted background. */
function measureDeviation(
  { width, height, lightness, a, b }: SmallCopy,
  { surfaces }: BackgroundModel,
): ColourDeviation {
  const distance = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
  const shade = new Float32Array(width * height);
  const hue = new Float32Array(width * height);
  for (const surface of surfaces) {
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const [bgLightness, bgA, bgB] = [surface(0, x, y), surface(1, x, y), surface(2, x, y)];
        const [pixelLightness, pixelA, pixelB] = [lightness[at] as number, a[at] as number, b[at] as number];
        const difference = Math.sqrt(
          (pixelLightness - bgLightness) ** 2 + (pixelA - bgA) ** 2 + (pixelB - bgB) ** 2,
        );
        if (difference >= (distance[at] as number)) continue;
        // Chroma scales with lightness.
        const scale = pixelLightness / Math.max(minLightness, bgLightness);
        distance[at] = difference;
        shade[at] = pixelLightness - bgLightness;
        hue[at] = Math.sqrt((pixelA - bgA * scale) ** 2 + (pixelB - bgB * scale) ** 2);
      }
    }
  }
  return { distance, shade, hue };
}

/** Returns the magnitude of the colour gradient at a pixel, as central differences over two pixels. */
function colourGradient({ width, height, lightness, a, b }: SmallCopy, at: number): number {
  const x = at % width;
  const left = x > 0 ? at - 1 : at;
  const right = x < width - 1 ? at + 1 : at;
  const up = at >= width ? at - width : at;
  const down = at < width * (height - 1) ? at + width : at;
  let sum = 0;
  for (const plane of [lightness, a, b]) {
    sum += ((plane[right] as number) - (plane[left] as number)) ** 2;
    sum += ((plane[down] as number) - (plane[up] as number)) ** 2;
  }
  return Math.sqrt(sum);
}

/** Thresholds, which grow with the noise of the background. */
const thresholdsFor = (noise: number) => ({
  /** Colour distance up to which a pixel is background. */
  plain: Math.min(0.06, 0.022 + 2.2 * noise),
  /** Lightness difference between neighbouring pixels of a shadow or highlight. */
  shadeStep: Math.min(0.04, 0.011 + 1.2 * noise),
  /** Hue difference of a shadow or highlight from the background. */
  hue: Math.min(0.03, 0.014 + 2.5 * noise),
});
const minShade = -0.45;
const maxShade = 0.2;
/** Smoothing factor of the reference lightness, which follows a shadow but not an edge. */
const followRate = 0.3;

/** Marks of a background pixel: of the background's own colour, or a shadow or highlight on it. */
const plainBackground = 1;
const shadedBackground = 2;

/** Marks the pixels that the background reaches from the seeds. */
function floodFill(
  copy: SmallCopy,
  { distance, shade, hue }: ColourDeviation,
  noise: number,
  seeds: Iterable<number>,
  background: Uint8Array,
): void {
  const { width, height, lightness } = copy;
  const threshold = thresholdsFor(noise);
  /** Smoothed lightness along the path that reached each pixel; 0 until it is reached. */
  const reference = new Float32Array(width * height);
  const queue = new Int32Array(width * height);
  let end = 0;
  const accept = (at: number, from: number, mark: number) => {
    background[at] = mark;
    reference[at] = from + followRate * ((lightness[at] as number) - from);
    queue[end++] = at;
  };
  const isPlain = (at: number) => (distance[at] as number) < threshold.plain;
  const isShaded = (at: number, from: number) =>
    Math.abs((lightness[at] as number) - from) < threshold.shadeStep &&
    (hue[at] as number) < threshold.hue &&
    (shade[at] as number) > minShade &&
    (shade[at] as number) < maxShade;
  const isSeed = (at: number) => reference[at] === 0 && (background[at] === plainBackground || isPlain(at));
  for (const at of seeds) if (isSeed(at)) accept(at, lightness[at] as number, plainBackground);
  for (let next = 0; next < end; next++) {
    const at = queue[next] as number;
    const x = at % width;
    const from = reference[at] as number;
    const visit = (to: number) => {
      if (background[to]) return;
      if (isPlain(to)) accept(to, from, plainBackground);
      else if (isShaded(to, from)) accept(to, from, shadedBackground);
    };
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at < width * (height - 1)) visit(at + width);
  }
}

/** Half the width, in pixels, of a passage. Shaded regions that are joined by a narrower passage are judged separately. */
const passageRadius = 3;
/** Minimum size of a region, as a share of all pixels. Smaller regions are the rims of objects. */
const minPatchShare = 0.004;
/** Minimum share of edges in a region's boundary with the plain background. A shadow fades out and has fewer edges. */
const minEdgeShare = 0.25;

/** Unmarks shaded regions that end in an edge, as objects do and shadows do not. */
function reclaimLeaks(copy: SmallCopy, noise: number, background: Uint8Array): void {
  const steep = 0.011 + 2 * noise;
  const open = findOpenPixels(copy, steep, background);
  const isShaded = (at: number) => background[at] === shadedBackground;
  const cores = connectedRegions(copy.width, copy.height, (at) => isShaded(at) && open[at] === 1);
  const leaks = cores
    .filter((core) => core.length >= minPatchShare * background.length)
    .map((core) => growRegion(core, copy, isShaded))
    .filter((region) => edgeShare(region, copy, steep, background) >= minEdgeShare);
  for (const at of leaks.flat()) background[at] = 0;
}

/** Returns 1 for pixels with neither the object nor an edge within the passage radius. */
function findOpenPixels(copy: SmallCopy, steep: number, background: Uint8Array): Uint8Array {
  const { width, height } = copy;
  const open = new Uint8Array(width * height).fill(1);
  for (let at = 0; at < open.length; at++) {
    if (background[at] === plainBackground || (background[at] && colourGradient(copy, at) <= steep)) continue;
    const x = at % width;
    const y = (at - x) / width;
    for (let row = Math.max(0, y - passageRadius); row <= Math.min(height - 1, y + passageRadius); row++)
      open.fill(
        0,
        row * width + Math.max(0, x - passageRadius),
        row * width + Math.min(width, x + passageRadius + 1),
      );
  }
  return open;
}

/** Grows a region by as much as `findOpenPixels` has shrunk it. */
function growRegion(
  pixels: readonly number[],
  { width }: SmallCopy,
  belongs: (at: number) => boolean,
): number[] {
  const found = new Set(pixels);
  let front = pixels;
  for (let step = 0; step <= 2 * passageRadius; step++) {
    const next: number[] = [];
    for (const at of front) {
      for (const to of [at - 1, at + 1, at - width, at + width]) {
        if (found.has(to) || !belongs(to)) continue;
        found.add(to);
        next.push(to);
      }
    }
    front = next;
  }
  return [...found];
}

/** Maximum width of an object's edge, in pixels. */
const maxEdgePixels = 5;

/** Returns the share of a region's boundary with the plain background that is steep or separated by an edge. */
function edgeShare(
  region: readonly number[],
  copy: SmallCopy,
  steep: number,
  background: Uint8Array,
): number {
  const { width } = copy;
  let contacts = 0;
  let edges = 0;
  for (const at of region) {
    for (const direction of [-1, 1, -width, width]) {
      let to = at + direction;
      for (let step = 1; step < maxEdgePixels && background[to] === 0; step++) to += direction;
      if (background[to] !== plainBackground) continue;
      contacts += 1;
      if (to !== at + direction || colourGradient(copy, at) > steep) edges += 1;
    }
  }
  return contacts === 0 ? 0 : edges / contacts;
}

/** Isolated objects below both limits are specks: a share of all pixels, and a share of the largest object. */
const maxSpeckShare = 0.0004;
const maxSpeckOfLargest = 0.02;
/**
 * Minimum size of a hole, as a share of all pixels. Smaller patches of the background's colour within the object are
 * highlights.
 */
const minHoleShare = 0.0012;
/** Upper limit of the colour distance within a hole, however noisy the background is. */
const maxColourDistance = 0.035;
/** Minimum size of an object, as a share of all pixels. Below it, no object was found. */
const minObjectShare = 0.004;

/** Limit of the mean colour distance of a hole, as a factor of the limit per pixel. */
const holeMeanFactor = 0.7;

interface FoundBackground {
  /** A mask that is nonzero on the background. */
  background: Uint8Array;
  /** How plain the background is, 0 to 1. */
  confidence: number;
}

/** Finds the background. Returns null if there is no plain background or no object. */
export function findBackground(copy: SmallCopy): FoundBackground | null {
  const model = fitBackground(copy);
  if (!model) return null;
  const { width, height } = copy;
  const { noise } = model;
  const background = new Uint8Array(width * height);
  const deviation = measureDeviation(copy, model);
  const seeds = model.seeds.map(({ x, y }) => y * width + x);
  floodFill(copy, deviation, noise, [...seeds, ...outermostPixels(width, height)], background);
  reclaimLeaks(copy, noise, background);
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
