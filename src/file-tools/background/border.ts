/**
 * Samples the border of a picture as a ring and splits it into arcs where its colour jumps. A plain background or a
 * gradient is one arc; an object that touches the border makes arcs of its own.
 */
import type { SmallCopy } from "./small-copy.js";

export type OkLab = readonly [lightness: number, a: number, b: number];

/** The colour at one pixel. */
export interface Point {
  x: number;
  y: number;
  colour: OkLab;
}

export interface BorderSample extends Point {
  side: "top" | "right" | "bottom" | "left";
}

/** Neighbouring samples without a colour jump. */
export type BorderArc = readonly BorderSample[];

/** Colour distance from which two samples belong to different arcs. */
const jumpDistance = 0.05;
/** Samples on each side across which a jump is measured, because an edge may be soft. */
const jumpSpan = 3;
/** Distance of a sample from the border, because scanners and crops distort the outermost pixels. */
const insetPixels = 1;

export const colourDistance = (one: OkLab, other: OkLab): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);

export const colourAt = ({ lightness, a, b }: SmallCopy, at: number): OkLab => [
  lightness[at] as number,
  a[at] as number,
  b[at] as number,
];

/** Returns samples along the border, clockwise from the upper left corner. */
export function sampleBorder(copy: SmallCopy): BorderSample[] {
  const { width, height } = copy;
  const right = width - 1 - insetPixels;
  const bottom = height - 1 - insetPixels;
  const ring: BorderSample[] = [];
  const add = (x: number, y: number, side: BorderSample["side"]) =>
    ring.push({ x, y, side, colour: meanAround(copy, x, y) });
  for (let x = insetPixels; x < right; x++) add(x, insetPixels, "top");
  for (let y = insetPixels; y < bottom; y++) add(right, y, "right");
  for (let x = right; x > insetPixels; x--) add(x, bottom, "bottom");
  for (let y = bottom; y > insetPixels; y--) add(insetPixels, y, "left");
  return ring;
}

function meanAround(copy: SmallCopy, x: number, y: number): OkLab {
  const sum = [0, 0, 0] as [number, number, number];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const colour = colourAt(copy, (y + dy) * copy.width + x + dx);
      for (const c of [0, 1, 2] as const) sum[c] += colour[c] / 9;
    }
  }
  return sum;
}

export function splitIntoArcs(ring: readonly BorderSample[]): BorderArc[] {
  const at = (index: number): BorderSample => ring[(index + ring.length) % ring.length] as BorderSample;
  const isJump = ring.map(
    (_, i) => colourDistance(at(i - jumpSpan).colour, at(i + jumpSpan).colour) > jumpDistance,
  );
  const start = isJump.indexOf(true);
  if (start === -1) return [ring];
  const arcs: BorderSample[][] = [];
  let arc: BorderSample[] = [];
  for (let i = start; i <= start + ring.length; i++) {
    if (!isJump[i % ring.length]) arc.push(at(i));
    else if (arc.length > 0) {
      arcs.push(arc);
      arc = [];
    }
  }
  return arcs;
}
