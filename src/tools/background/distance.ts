/** How far each pixel lies from the line between object and background: above zero within the object. */

const straight = 1;
const diagonal = Math.SQRT2;

/** Above zero in `background` is ground, be it plain or in a shadow. */
export function signedDistance(background: Uint8Array, width: number, height: number): Float32Array {
  const inside = distanceFrom(background, true, width, height);
  const outside = distanceFrom(background, false, width, height);
  return inside.map((value, at) => (background[at] ? 0.5 - (outside[at] as number) : value - 0.5));
}

/** To the nearest pixel that is ground, or that is none, over sides and corners of pixels: within a tenth of the true distance. */
function distanceFrom(
  background: Uint8Array,
  isGround: boolean,
  width: number,
  height: number,
): Float32Array {
  const far = width + height;
  const distance = Float32Array.from(background, (mine) => (mine > 0 === isGround ? 0 : far));
  const relax = (x: number, y: number, direction: 1 | -1) => {
    const at = y * width + x;
    let least = distance[at] as number;
    const see = (dx: number, dy: number, length: number) => {
      if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) return;
      least = Math.min(least, (distance[at + dy * width + dx] as number) + length);
    };
    see(-direction, 0, straight);
    see(0, -direction, straight);
    see(-1, -direction, diagonal);
    see(1, -direction, diagonal);
    distance[at] = least;
  };
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) relax(x, y, 1);
  for (let y = height - 1; y >= 0; y--) for (let x = width - 1; x >= 0; x--) relax(x, y, -1);
  return distance;
}
