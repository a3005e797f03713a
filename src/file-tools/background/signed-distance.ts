/** A signed distance transform. */

const straight = 1;
const diagonal = Math.SQRT2;

/** Returns each pixel's distance from the outline, positive inside the object. `background` is nonzero outside the object. */
export function signedDistance(background: Uint8Array, width: number, height: number): Float32Array {
  const inside = distanceFrom(background, true, width, height);
  const outside = distanceFrom(background, false, width, height);
  return inside.map((value, at) => (background[at] ? 0.5 - (outside[at] as number) : value - 0.5));
}

/** Two-pass chamfer distance to the nearest pixel that is background, or is not, within 10% of the true distance. */
function distanceFrom(
  background: Uint8Array,
  isBackground: boolean,
  width: number,
  height: number,
): Float32Array {
  const far = width + height;
  const distance = Float32Array.from(background, (mark) => (mark > 0 === isBackground ? 0 : far));
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
