/** Compares every pixel with the fitted background and with its neighbours. */
import type { BackgroundModel } from "./background-model.js";
import type { SmallCopy } from "./small-copy.js";

/** Difference of each pixel from the nearest background colour, in OKLab. */
export interface ColourDeviation {
  /** Colour distance. */
  distance: Float32Array;
  /** Lightness difference, negative in a shadow. */
  shade: Float32Array;
  /** Chroma difference after correcting for lightness, which a shadow leaves unchanged. */
  hue: Float32Array;
}

const minLightness = 0.05;

export function measureDeviation(
  { width, height, lightness, a, b }: SmallCopy,
  { surfaces }: BackgroundModel,
): ColourDeviation {
  const distance = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
  const shade = new Float32Array(width * height);
  const hue = new Float32Array(width * height);
  const rows = [new Float32Array(width), new Float32Array(width), new Float32Array(width)] as const;
  const [rowLightness, rowA, rowB] = rows;
  for (const surface of surfaces) {
    for (let y = 0, at = 0; y < height; y++) {
      for (const channel of [0, 1, 2] as const) surface.row(channel, y, rows[channel]);
      for (let x = 0; x < width; x++, at++) {
        const [bgLightness, bgA, bgB] = [rowLightness[x] as number, rowA[x] as number, rowB[x] as number];
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
export function colourGradient({ width, height, lightness, a, b }: SmallCopy, at: number): number {
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
