/** Spreads the background from where it is sure: over the ground's colour, gradients and soft shadows, up to edges. */
import { type Deviation, slope } from "./deviation.js";
import type { SmallCopy } from "./small-copy.js";

/** Every limit grows with the ground's own noise. */
const limits = (noise: number) => ({
  /** So near to the ground's colour a pixel is ground. */
  ground: Math.min(0.06, 0.022 + 2.2 * noise),
  /** At an edge it has to be so near. */
  atEdge: 0.01 + 1.5 * noise,
  edge: 0.03 + 3 * noise,
  /** A shadow or a spot of light goes on from pixel to pixel in such steps … */
  step: Math.min(0.04, 0.011 + 1.2 * noise),
  /** … and keeps the ground's hue. */
  hue: Math.min(0.03, 0.014 + 2.5 * noise),
});
const darkestShadow = -0.45;
const brightestSpot = 0.2;
/** How fast the colour that is gone on from follows a shadow: slower than any edge. */
const following = 0.3;

/** What a pixel is marked with: of the ground's own colour, or a shadow or a spot of light on it. */
export const plainGround = 1;
export const shadedGround = 2;

/** Marks what the background reaches from the seeds; what is marked already stays. `hueShare` makes shadows stricter. */
export function flood(
  copy: SmallCopy,
  { distance, shade, hue }: Deviation,
  noise: number,
  seeds: Iterable<number>,
  background: Uint8Array,
  hueShare = 1,
): void {
  const { width, height, light } = copy;
  const limit = limits(noise);
  /** The lightness that the background goes on from. */
  const carried = new Float32Array(width * height);
  const queue = new Int32Array(width * height);
  let end = 0;
  const accept = (at: number, from: number, mark: number) => {
    background[at] = mark;
    carried[at] = from + following * ((light[at] as number) - from);
    queue[end++] = at;
  };
  const isGround = (at: number) =>
    (distance[at] as number) < limit.ground &&
    ((distance[at] as number) < limit.atEdge || slope(copy, at) < limit.edge);
  const isShadow = (at: number, from: number) =>
    Math.abs((light[at] as number) - from) < limit.step &&
    (hue[at] as number) < limit.hue * hueShare &&
    (shade[at] as number) > darkestShadow &&
    (shade[at] as number) < brightestSpot;
  // A seed is taken once; one that is ground already goes on from there.
  const isSeed = (at: number) => carried[at] === 0 && (background[at] === plainGround || isGround(at));
  for (const at of seeds) if (isSeed(at)) accept(at, light[at] as number, plainGround);
  for (let next = 0; next < end; next++) {
    const at = queue[next] as number;
    const x = at % width;
    const from = carried[at] as number;
    const look = (to: number) => {
      if (background[to]) return;
      if (isGround(to)) accept(to, from, plainGround);
      else if (isShadow(to, from)) accept(to, from, shadedGround);
    };
    if (x > 0) look(at - 1);
    if (x < width - 1) look(at + 1);
    if (at >= width) look(at - width);
    if (at < width * (height - 1)) look(at + width);
  }
}
