/** How wide the edge of a thing is that is out of focus: there its colour comes out of the ground's little by little. */
import { colourIn, fieldOf } from "./field.js";
import type { SmallCopy } from "./small-copy.js";

type Rgb = [red: number, green: number, blue: number];

/** At a point, in pixels of the small copy: how far in from the line the ground's colour shows; 0 at a sharp edge. */
export type Softness = (x: number, y: number) => number;

/** Pixels of the small copy: a wider edge is taken for shading, a narrower one for a sharp edge. */
const widest = 60;
const narrowest = 4;
/** Of 255: with less contrast noise looks like an edge. */
const leastContrast = 60;
/** Of the contrast: from so much on the edge is over. */
const whole = 0.96;
/** Pixels without more contrast after which no more is looked for. */
const patience = 4;
/** Of the contrast: so far a colour may lie from those between ground and thing, and so much may come in one pixel. */
const astray = 0.12;
const steepest = 0.3;
/** Pixels to a block, and what one pixel of an edge's width is as a byte. */
const block = 8;
const unit = 4;

/** `below` gives the ground's colour, by the distance of each pixel from the line: above zero within the object. */
export function softnessOf(
  { width, height, rgb }: Pick<SmallCopy, "width" | "height" | "rgb">,
  distance: Float32Array,
  below: (x: number, y: number) => Rgb,
): Softness | null {
  const widths = Buffer.alloc(rgb.length);
  const onLine = (at: number) => (distance[at] as number) > 0 && (distance[at] as number) < 1;
  let isSoft = false;
  for (let at = 0; at < distance.length; at++) {
    if (!onLine(at)) continue;
    const found = widthOf(rayFrom(at, { width, height, rgb }, distance, below));
    isSoft ||= found > 0;
    widths.fill(Math.round(found * unit), at * 3, at * 3 + 3);
  }
  if (!isSoft) return null;
  const field = fieldOf(widths, width, height, block, (at) => (onLine(at) ? 1 : 0));
  return (x, y) => {
    const found = colourIn(field, x / block, y / block, 0) / unit;
    return found < narrowest ? 0 : found;
  };
}

/** How each colour on the way straight into the object differs from the ground's at its beginning. */
function rayFrom(
  at: number,
  { width, height, rgb }: Pick<SmallCopy, "width" | "height" | "rgb">,
  distance: Float32Array,
  below: (x: number, y: number) => Rgb,
): Rgb[] {
  const x = at % width;
  const y = Math.floor(at / width);
  const clamped = (column: number, row: number) =>
    Math.min(height - 1, Math.max(0, row)) * width + Math.min(width - 1, Math.max(0, column));
  const far = (column: number, row: number) => distance[clamped(column, row)] as number;
  const across = far(x + 3, y) - far(x - 3, y);
  const down = far(x, y + 3) - far(x, y - 3);
  const length = Math.hypot(across, down);
  if (length === 0) return [];
  const ground = below(x + 0.5, y + 0.5);
  const ray: Rgb[] = [];
  for (let step = 0; step < widest + patience; step++) {
    const column = Math.round(x + (step * across) / length);
    const row = Math.round(y + (step * down) / length);
    if (column < 0 || row < 0 || column >= width || row >= height || far(column, row) <= 0) break;
    const from = clamped(column, row) * 3;
    ray.push(ground.map((value, c) => (rgb[from + c] as number) - value) as Rgb);
  }
  return ray;
}

/** How many colours of the way lie between the ground's and the object's; 0 where the edge is sharp. */
function widthOf(ray: readonly Rgb[]): number {
  const differs = ray.map((colour) => Math.hypot(...colour));
  let most = 0;
  let end = 0;
  for (let step = 0; step < ray.length && step - end <= patience; step++) {
    if ((differs[step] as number) <= most * 1.004) continue;
    most = differs[step] as number;
    end = step;
  }
  const width = differs.findIndex((value) => value >= whole * most);
  const object = ray[end];
  if (!object || most < leastContrast || width < narrowest || width >= widest) return 0;
  const isMixed = (colour: Rgb, step: number) => {
    const along = colour.reduce((sum, value, c) => sum + value * (object[c] as number), 0) / most;
    const rise = (differs[step + 1] as number) - (differs[step] as number);
    const aside = Math.sqrt(Math.max(0, (differs[step] as number) ** 2 - along ** 2));
    return aside < astray * most && rise < steepest * most && rise > -steepest * most;
  };
  return ray.slice(0, width).every(isMixed) && (differs[0] as number) < most / 2 ? width : 0;
}
