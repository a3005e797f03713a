/** The background's colour at every point: one smooth surface for each ground that the border shows. */
import {
  type Arc,
  apart,
  colourAt,
  cutIntoArcs,
  type Lab,
  type Point,
  readRing,
  type Sample,
} from "./border.js";
import type { SmallCopy } from "./small-copy.js";
import { fitSurface, type Surface } from "./surface.js";

export interface Ground {
  surfaces: readonly Surface[];
  /** How far the border strays from the surfaces, as a standard deviation. */
  noise: number;
  /** Where the background is sure to be. */
  seeds: readonly Sample[];
}

/** Arcs whose ends or means are nearer than this are one ground, which an object interrupts. */
const sameGround = 0.07;
/** Of the ring: shorter arcs are edges or texture. */
const shortest = 0.01;
/** Parts of the top, of both sides, or of top and sides together that make an arc's colour a background. */
const ofTop = 0.2;
const ofBothSides = 0.3;
const ofAll = 0.4;
/** Of top and sides: where less is plain, no ground is. */
const leastPlain = 0.35;
/** Beyond this a border is texture. */
const mostNoise = 0.035;

/** Null: the border is not plain. */
export function findGround(copy: SmallCopy): Ground | null {
  const ring = readRing(copy);
  const arcs = cutIntoArcs(ring).filter(({ length }) => length >= ring.length * shortest);
  const grounds = group(arcs).filter((samples) => isBackground(samples, copy));
  const plain = grounds.flat().filter(({ side }) => side !== "bottom").length;
  if (plain < leastPlain * (copy.width + 2 * copy.height)) return null;
  const surfaces = grounds.map((samples) => fitSurface(samples, copy));
  const strays = grounds.flatMap((samples, index) =>
    samples.map(({ x, y, colour }) => apart(colour, surfaces[index]?.at(x, y) ?? colour)),
  );
  const noise = 1.2 * median(strays);
  return noise > mostNoise ? null : { surfaces, noise, seeds: grounds.flat() };
}

/** Pixels between samples of what the flood has found. */
const every = 5;
/** A surface with fewer samples stays as it is. */
const fewest = 60;

/** The same ground, by all of it that is known by now: behind an object it may be lighter than at the border. */
export function refit({ surfaces, ...rest }: Ground, copy: SmallCopy, background: Uint8Array): Ground {
  const found: Point[][] = surfaces.map(() => []);
  for (let y = 0; y < copy.height; y += every) {
    for (let x = 0; x < copy.width; x += every) {
      const at = y * copy.width + x;
      if (background[at])
        found[nearest(surfaces, x, y, colourAt(copy, at))]?.push({ x, y, colour: colourAt(copy, at) });
    }
  }
  const refitted = surfaces.map((surface, index) => {
    const points = found[index] ?? [];
    return points.length < fewest ? surface : fitSurface(points, copy);
  });
  return { ...rest, surfaces: refitted };
}

function nearest(surfaces: readonly Surface[], x: number, y: number, colour: Lab): number {
  const distances = surfaces.map((surface) => apart(surface.at(x, y), colour));
  return distances.indexOf(Math.min(...distances));
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

function group(arcs: readonly Arc[]): Sample[][] {
  const groups: Arc[][] = [];
  for (const arc of arcs) {
    const near = groups.filter((members) => members.some((member) => areOne(member, arc)));
    const merged = [...near.flat(), arc];
    for (const old of near) groups.splice(groups.indexOf(old), 1);
    groups.push(merged);
  }
  return groups.map((members) => members.flat());
}

function areOne(one: Arc, other: Arc): boolean {
  const colours = (arc: Arc): Lab[] => [endOf(arc, 0), meanOf(arc), endOf(arc, arc.length - 1)];
  return colours(one).some((mine) => colours(other).some((theirs) => apart(mine, theirs) < sameGround));
}

const endOf = (arc: Arc, at: number): Lab => (arc[at] as Sample).colour;

function meanOf(arc: Arc): Lab {
  const mean = (c: 0 | 1 | 2) => arc.reduce((sum, { colour }) => sum + colour[c], 0) / arc.length;
  return [mean(0), mean(1), mean(2)];
}

/** People stand on the lower border: a colour that only that one shows is theirs. */
function isBackground(samples: readonly Sample[], { width, height }: SmallCopy): boolean {
  const on = (side: Sample["side"]) => samples.filter((sample) => sample.side === side).length;
  const [top, left, right] = [on("top"), on("left"), on("right")];
  return (
    top >= ofTop * width ||
    Math.min(left, right) >= ofBothSides * height ||
    top + left + right >= ofAll * (width + 2 * height)
  );
}
