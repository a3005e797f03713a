/** A low-resolution colour map: averages weighted pixels over blocks and interpolates blocks without any (pull-push). */

export type Rgb = [red: number, green: number, blue: number];

export interface ColourField {
  width: number;
  height: number;
  /** Red, green and blue of each block, 0 to 255. */
  colours: Float32Array;
}

interface WeightedField extends ColourField {
  weights: Float32Array;
}

/** Builds a field with blocks of `block` pixels a side. `weightAt` gives the weight of each RGB pixel, 0 to 1. */
export function buildColourField(
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

/** Fills blocks of little weight with the colour of the same place at half the resolution, recursively. */
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
export function sampleChannel(
  { width, height, colours }: ColourField,
  x: number,
  y: number,
  c: number,
): number {
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
