/** Finds the background between hairs, where no way is free of edges. */
import type { Deviation } from "./deviation.js";
import { plainGround } from "./flood.js";
import type { SmallCopy } from "./small-copy.js";

/** Pixels that a strand of hair is wide, and how often one after the other is stepped over. */
const strand = 2;
const mostStrands = 10;

/** However uneven the ground is. */
const mostNear = 0.035;

/** Goes on over thin lines to ground of the very same colour. */
export function enterStrands(
  { width, height }: SmallCopy,
  { distance }: Deviation,
  noise: number,
  background: Uint8Array,
): void {
  const near = Math.min(mostNear, 0.022 + 2 * noise);
  let front = [...background.keys()].filter((at) => background[at]);
  for (let step = 0; step < mostStrands && front.length > 0; step++) {
    const reached: number[] = [];
    for (const at of front) {
      const x = at % width;
      for (let dy = -strand; dy <= strand; dy++) {
        for (let dx = -strand; dx <= strand; dx++) {
          const to = at + dy * width + dx;
          if (x + dx < 0 || x + dx >= width || to < 0 || to >= width * height) continue;
          if (background[to] || (distance[to] as number) > near) continue;
          background[to] = plainGround;
          reached.push(to);
        }
      }
    }
    front = reached;
  }
}
