/** Compares every pixel with the ground behind it, and with its neighbours. */
import type { Ground } from "./ground.js";
import type { SmallCopy } from "./small-copy.js";

/** How each pixel differs from the ground's colour. */
export interface Deviation {
  /** In all. */
  distance: Float32Array;
  /** In lightness: below zero for a shadow. */
  shade: Float32Array;
  /** In what a shadow does not change. */
  hue: Float32Array;
}

const darkest = 0.05;

export function deviate({ width, height, light, red, yellow }: SmallCopy, { surfaces }: Ground): Deviation {
  const distance = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
  const shade = new Float32Array(width * height);
  const hue = new Float32Array(width * height);
  const row = {
    light: new Float32Array(width),
    red: new Float32Array(width),
    yellow: new Float32Array(width),
  };
  for (const surface of surfaces) {
    for (let y = 0, at = 0; y < height; y++) {
      surface.row(0, y, row.light);
      surface.row(1, y, row.red);
      surface.row(2, y, row.yellow);
      for (let x = 0; x < width; x++, at++) {
        const [l, r, b] = [row.light[x] as number, row.red[x] as number, row.yellow[x] as number];
        const [mine, myRed, myYellow] = [light[at] as number, red[at] as number, yellow[at] as number];
        const far = Math.sqrt((mine - l) ** 2 + (myRed - r) ** 2 + (myYellow - b) ** 2);
        if (far >= (distance[at] as number)) continue;
        // What is half as light has half the colour.
        const dimmed = mine / Math.max(darkest, l);
        distance[at] = far;
        shade[at] = mine - l;
        hue[at] = Math.sqrt((myRed - r * dimmed) ** 2 + (myYellow - b * dimmed) ** 2);
      }
    }
  }
  return { distance, shade, hue };
}

/** How steeply colour changes at a pixel, for each two pixels. */
export function slope({ width, height, light, red, yellow }: SmallCopy, at: number): number {
  const x = at % width;
  const left = x > 0 ? at - 1 : at;
  const right = x < width - 1 ? at + 1 : at;
  const up = at >= width ? at - width : at;
  const down = at < width * (height - 1) ? at + width : at;
  let sum = 0;
  for (const plane of [light, red, yellow]) {
    sum += ((plane[right] as number) - (plane[left] as number)) ** 2;
    sum += ((plane[down] as number) - (plane[up] as number)) ** 2;
  }
  return Math.sqrt(sum);
}
