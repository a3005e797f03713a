/** Measures how wide the object's edge is where it is out of focus and fades gradually into the background. */
import { buildColourField, type Rgb, sampleChannel } from "./colour-field.js";
import type { SmallCopy } from "./small-copy.js";

/** Returns how far inside the outline the background shows through at a point of the small copy; 0 at a sharp edge. */
export type EdgeWidthAt = (x: number, y: number) => number;

/** A wider transition is shading of the object, a narrower one a sharp edge. Pixels of the small copy. */
const maxEdgePixels = 60;
const minEdgePixels = 4;
/** Below this contrast (0–255), noise is mistaken for an edge. */
const minContrast = 60;
/** Share of the full contrast at which the edge ends. */
const edgeEndShare = 0.96;
/** Pixels without a rise in contrast after which the search stops. */
const plateauPixels = 4;
/** Limits of a soft edge, as shares of the contrast: distance from the blend of both colours, and change per pixel. */
const maxColourOffset = 0.12;
const maxStepShare = 0.3;
/** Block size of the colour field that holds the widths, and the byte value of one pixel of width. */
const blockPixels = 8;
const byteScale = 4;

/** Measures the edge along the outline, or returns null if it is sharp everywhere. `background` estimates its colour. */
export function measureEdgeWidths(
  { width, height, rgb }: Pick<SmallCopy, "width" | "height" | "rgb">,
  distance: Float32Array,
  background: (x: number, y: number) => Rgb,
): EdgeWidthAt | null {
  const widths = Buffer.alloc(rgb.length);
  const isOnOutline = (at: number) => (distance[at] as number) > 0 && (distance[at] as number) < 1;
  let isSoft = false;
  for (let at = 0; at < distance.length; at++) {
    if (!isOnOutline(at)) continue;
    const found = edgeWidthAlong(rayFrom(at, { width, height, rgb }, distance, background));
    isSoft ||= found > 0;
    widths.fill(Math.round(found * byteScale), at * 3, at * 3 + 3);
  }
  if (!isSoft) return null;
  const field = buildColourField(widths, width, height, blockPixels, (at) => (isOnOutline(at) ? 1 : 0));
  return (x, y) => {
    const found = sampleChannel(field, x / blockPixels, y / blockPixels, 0) / byteScale;
    return found < minEdgePixels ? 0 : found;
  };
}

/** Returns colour differences from the background along a ray straight into the object. */
function rayFrom(
  at: number,
  { width, height, rgb }: Pick<SmallCopy, "width" | "height" | "rgb">,
  distance: Float32Array,
  background: (x: number, y: number) => Rgb,
): Rgb[] {
  const x = at % width;
  const y = Math.floor(at / width);
  const clamped = (column: number, row: number) =>
    Math.min(height - 1, Math.max(0, row)) * width + Math.min(width - 1, Math.max(0, column));
  const distanceAt = (column: number, row: number) => distance[clamped(column, row)] as number;
  const dx = distanceAt(x + 3, y) - distanceAt(x - 3, y);
  const dy = distanceAt(x, y + 3) - distanceAt(x, y - 3);
  const length = Math.hypot(dx, dy);
  if (length === 0) return [];
  const start = background(x + 0.5, y + 0.5);
  const ray: Rgb[] = [];
  for (let step = 0; step < maxEdgePixels + plateauPixels; step++) {
    const column = Math.round(x + (step * dx) / length);
    const row = Math.round(y + (step * dy) / length);
    if (column < 0 || row < 0 || column >= width || row >= height || distanceAt(column, row) <= 0) break;
    const from = clamped(column, row) * 3;
    ray.push(start.map((value, c) => (rgb[from + c] as number) - value) as Rgb);
  }
  return ray;
}

/** Returns the number of steps on which the ray blends background and object; 0 at a sharp edge. */
function edgeWidthAlong(ray: readonly Rgb[]): number {
  const contrasts = ray.map((colour) => Math.hypot(...colour));
  let full = 0;
  let end = 0;
  for (let step = 0; step < ray.length && step - end <= plateauPixels; step++) {
    if ((contrasts[step] as number) <= full * 1.004) continue;
    full = contrasts[step] as number;
    end = step;
  }
  const width = contrasts.findIndex((contrast) => contrast >= edgeEndShare * full);
  const object = ray[end];
  if (!object || full < minContrast || width < minEdgePixels || width >= maxEdgePixels) return 0;
  const isBlend = (colour: Rgb, step: number) => {
    const along = colour.reduce((sum, value, c) => sum + value * (object[c] as number), 0) / full;
    const rise = (contrasts[step + 1] as number) - (contrasts[step] as number);
    const offset = Math.sqrt(Math.max(0, (contrasts[step] as number) ** 2 - along ** 2));
    return offset < maxColourOffset * full && rise < maxStepShare * full && rise > -maxStepShare * full;
  };
  return ray.slice(0, width).every(isBlend) && (contrasts[0] as number) < full / 2 ? width : 0;
}
