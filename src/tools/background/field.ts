/** A colour for every place, known in some: averaged over small blocks, then spread over the blocks that know none. */

export interface Field {
  width: number;
  height: number;
  /** Three numbers a block, 0 to 255. */
  colours: Float32Array;
}

interface Level extends Field {
  weights: Float32Array;
}

/** From three bytes a pixel, each as much as it counts, 0 to 1; `block` pixels a side make one colour. */
export function fieldOf(
  rgb: Buffer,
  width: number,
  height: number,
  block: number,
  counts: (at: number) => number,
): Field {
  const level = newLevel(Math.ceil(width / block), Math.ceil(height / block));
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const weight = counts(at);
      if (weight === 0) continue;
      const to = Math.floor(y / block) * level.width + Math.floor(x / block);
      for (let c = 0; c < 3; c++) add(level.colours, to * 3 + c, weight * (rgb[at * 3 + c] as number));
      add(level.weights, to, weight);
    }
  }
  return spread(level);
}

const newLevel = (width: number, height: number): Level => ({
  width,
  height,
  colours: new Float32Array(width * height * 3),
  weights: new Float32Array(width * height),
});

function add(array: Float32Array, at: number, value: number): void {
  array[at] = (array[at] as number) + value;
}

/** Blocks without a colour take that of the larger block around them, and so on up (push and pull). */
function spread(level: Level): Field {
  const { width, height, colours, weights } = level;
  const around = width > 1 || height > 1 ? spread(halved(level)) : null;
  const mean = new Float32Array(colours.length);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const weight = weights[at] as number;
      const own = Math.min(1, weight);
      for (let c = 0; c < 3; c++) {
        const mine = weight > 0 ? (colours[at * 3 + c] as number) / weight : 0;
        const wider = around && own < 1 ? colourIn(around, (x + 0.5) / 2, (y + 0.5) / 2, c) : 0;
        mean[at * 3 + c] = own * mine + (1 - own) * wider;
      }
    }
  }
  return { width, height, colours: mean };
}

function halved({ width, height, colours, weights }: Level): Level {
  const half = newLevel(Math.ceil(width / 2), Math.ceil(height / 2));
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const to = (y >> 1) * half.width + (x >> 1);
      for (let c = 0; c < 3; c++) add(half.colours, to * 3 + c, colours[at * 3 + c] as number);
      add(half.weights, to, weights[at] as number);
    }
  }
  return half;
}

/** Between the middles of the blocks; in blocks from the upper left corner. */
export function colourIn({ width, height, colours }: Field, x: number, y: number, c: number): number {
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
