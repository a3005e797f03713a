/** Finds background between strands of hair, which the flood fill cannot reach without crossing edges. */
import type { ColourDeviation } from "./deviation.js";
import { plainBackground } from "./flood-fill.js";
import type { SmallCopy } from "./small-copy.js";

/** Width of a strand, and how many strands in a row may be crossed. */
const strandPixels = 2;
const maxStrandSteps = 10;

/** Upper limit of the colour distance, however noisy the background is. */
const maxColourDistance = 0.035;

/** Extends the background across thin strands to pixels that have exactly its colour. */
export function fillBetweenStrands(
  { width, height }: SmallCopy,
  { distance }: ColourDeviation,
  noise: number,
  background: Uint8Array,
): void {
  const near = Math.min(maxColourDistance, 0.022 + 2 * noise);
  let front = [...background.keys()].filter((at) => background[at]);
  for (let step = 0; step < maxStrandSteps && front.length > 0; step++) {
    const reached: number[] = [];
    for (const at of front) {
      const x = at % width;
      for (let dy = -strandPixels; dy <= strandPixels; dy++) {
        for (let dx = -strandPixels; dx <= strandPixels; dx++) {
          const to = at + dy * width + dx;
          if (x + dx < 0 || x + dx >= width || to < 0 || to >= width * height) continue;
          if (background[to] || (distance[to] as number) > near) continue;
          background[to] = plainBackground;
          reached.push(to);
        }
      }
    }
    front = reached;
  }
}
