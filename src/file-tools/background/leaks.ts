/** Undoes leaks of the flood fill, which can follow a shadow into an object of the same lightness. */
import { colourGradient } from "./deviation.js";
import { plainBackground, shadedBackground } from "./flood-fill.js";
import { connectedRegions } from "./regions.js";
import type { SmallCopy } from "./small-copy.js";

/** Half the width, in pixels, of a passage. Shaded regions that are joined by a narrower one are judged separately. */
const passageRadius = 3;
/** Smaller regions, as a share of all pixels, are the rims of objects. */
const minPatchShare = 0.004;
/** Share of a region's boundary with the plain background that is an edge. A shadow fades out and has less. */
const minEdgeShare = 0.25;

/** Unmarks leaked regions and returns the plain background pixels next to them. */
export function reclaimLeaks(copy: SmallCopy, noise: number, background: Uint8Array): number[] {
  const { width, height } = copy;
  const steep = 0.011 + 2 * noise;
  const open = findOpenPixels(copy, steep, background);
  const cores = connectedRegions(
    width,
    height,
    (at) => background[at] === shadedBackground && open[at] === 1,
  );
  const leaked = new Uint8Array(width * height);
  for (const pixels of cores) {
    if (pixels.length < minPatchShare * leaked.length) continue;
    const region = growRegion(pixels, copy, (at) => background[at] === shadedBackground && !leaked[at]);
    if (edgeShare(region, copy, steep, background) < minEdgeShare) continue;
    for (const at of region) leaked[at] = 1;
  }
  const neighbours = new Set<number>();
  for (const [at, isLeaked] of leaked.entries()) {
    if (!isLeaked) continue;
    background[at] = 0;
    for (const to of [at - 1, at + 1, at - width, at + width])
      if (background[to] === plainBackground) neighbours.add(to);
  }
  return [...neighbours];
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

/** Maximum width of an object's edge. */
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
