/**
 * Reads the border as a ring of samples, cut into arcs where its colour jumps: an even ground or a gradient is one arc,
 * an object that reaches the border makes arcs of its own.
 */
import type { SmallCopy } from "./small-copy.js";

export type Lab = readonly [light: number, red: number, yellow: number];

/** What the picture shows at one place. */
export interface Point {
  x: number;
  y: number;
  colour: Lab;
}

export interface Sample extends Point {
  side: "top" | "right" | "bottom" | "left";
}

/** Neighbouring samples of one smooth ground. */
export type Arc = readonly Sample[];

/** Colours nearer than this may belong to one ground. */
const jump = 0.05;
/** Samples between which a jump is looked for: an edge may be soft. */
const reach = 3;
/** Pixels from the edge to the middle of a sample, whose own edges scanners and crops leave odd. */
const inset = 1;

export const apart = (one: Lab, other: Lab): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);

export const colourAt = ({ light, red, yellow }: SmallCopy, at: number): Lab => [
  light[at] as number,
  red[at] as number,
  yellow[at] as number,
];

/** Clockwise from the upper left corner. */
export function readRing(copy: SmallCopy): Sample[] {
  const { width, height } = copy;
  const right = width - 1 - inset;
  const bottom = height - 1 - inset;
  const ring: Sample[] = [];
  const take = (x: number, y: number, side: Sample["side"]) =>
    ring.push({ x, y, side, colour: meanAround(copy, x, y) });
  for (let x = inset; x < right; x++) take(x, inset, "top");
  for (let y = inset; y < bottom; y++) take(right, y, "right");
  for (let x = right; x > inset; x--) take(x, bottom, "bottom");
  for (let y = bottom; y > inset; y--) take(inset, y, "left");
  return ring;
}

function meanAround(copy: SmallCopy, x: number, y: number): Lab {
  const sum = [0, 0, 0] as [number, number, number];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const colour = colourAt(copy, (y + dy) * copy.width + x + dx);
      for (const c of [0, 1, 2] as const) sum[c] += colour[c] / 9;
    }
  }
  return sum;
}

export function cutIntoArcs(ring: readonly Sample[]): Arc[] {
  const at = (index: number): Sample => ring[(index + ring.length) % ring.length] as Sample;
  const isJump = ring.map((_, i) => apart(at(i - reach).colour, at(i + reach).colour) > jump);
  const start = isJump.indexOf(true);
  if (start === -1) return [ring];
  const arcs: Sample[][] = [];
  let arc: Sample[] = [];
  for (let i = start; i <= start + ring.length; i++) {
    if (!isJump[i % ring.length]) arc.push(at(i));
    else if (arc.length > 0) {
      arcs.push(arc);
      arc = [];
    }
  }
  return arcs;
}
