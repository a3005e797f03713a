/** Flood-fills the background from seed pixels across its colour, gradients and soft shadows, up to edges. */
import { type ColourDeviation, colourGradient } from "./deviation.js";
import type { SmallCopy } from "./small-copy.js";

/** Thresholds, which grow with the noise of the background. */
const thresholdsFor = (noise: number) => ({
  /** Colour distance up to which a pixel is background. */
  plain: Math.min(0.06, 0.022 + 2.2 * noise),
  /** The stricter colour distance for pixels whose gradient makes them part of an edge. */
  plainAtEdge: 0.01 + 1.5 * noise,
  edgeGradient: 0.03 + 3 * noise,
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
export const plainBackground = 1;
export const shadedBackground = 2;

/** Marks the pixels that the background reaches from the seeds. A `hueFactor` below 1 makes shadows stricter. */
export function floodFill(
  copy: SmallCopy,
  { distance, shade, hue }: ColourDeviation,
  noise: number,
  seeds: Iterable<number>,
  background: Uint8Array,
  hueFactor = 1,
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
  const isPlain = (at: number) =>
    (distance[at] as number) < threshold.plain &&
    ((distance[at] as number) < threshold.plainAtEdge || colourGradient(copy, at) < threshold.edgeGradient);
  const isShaded = (at: number, from: number) =>
    Math.abs((lightness[at] as number) - from) < threshold.shadeStep &&
    (hue[at] as number) < threshold.hue * hueFactor &&
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
