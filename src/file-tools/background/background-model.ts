/** Models the background's colour at every pixel: one smooth surface for each background colour along the border. */
import {
  type BorderArc,
  type BorderSample,
  colourAt,
  colourDistance,
  type OkLab,
  type Point,
  sampleBorder,
  splitIntoArcs,
} from "./border.js";
import type { SmallCopy } from "./small-copy.js";
import { fitSurface, type Surface } from "./surface.js";

export interface BackgroundModel {
  surfaces: readonly Surface[];
  /** Deviation of the border samples from the surfaces, as an estimated standard deviation. */
  noise: number;
  /** Border samples that certainly show background. */
  seeds: readonly BorderSample[];
  /** Share of the top and the sides that is plain, halved at the highest accepted noise. */
  confidence: number;
}

/** Arcs whose end or mean colours are closer than this are one background, interrupted by an object. */
const sameColourDistance = 0.07;
/** Shorter arcs, as a share of the border, are edges or texture. */
const minArcShare = 0.01;
/** Shares of the top, of both sides, or of all three, any of which makes a colour a background. */
const minTopShare = 0.2;
const minSidesShare = 0.3;
const minTotalShare = 0.4;
/** With a smaller plain share of top and sides, the picture has no plain background. */
const minPlainShare = 0.35;
/** With less of the whole border on one smooth surface, there is a scene behind the object. */
const minOneSurfaceShare = 0.45;
/** Colour distance from a surface up to which a border sample is on it. */
const onSurfaceDistance = 0.05;
/** A border with more noise is texture. */
const maxNoise = 0.035;

/** Fits a model to the border, or returns null if the border is not plain. */
export function fitBackground(copy: SmallCopy): BackgroundModel | null {
  const ring = sampleBorder(copy);
  const arcs = splitIntoArcs(ring).filter(({ length }) => length >= ring.length * minArcShare);
  const groups = groupArcs(arcs).filter((samples) => isBackground(samples, copy));
  const plain = groups.flat().filter(({ side }) => side !== "bottom").length;
  const plainShare = Math.min(1, plain / (copy.width + 2 * copy.height));
  if (plainShare < minPlainShare) return null;
  const surfaces = groups.map((samples) => fitSurface(samples, copy));
  const shares = surfaces.map((surface) => shareOn(surface, ring));
  if (Math.max(...shares) < minOneSurfaceShare) return null;
  const deviations = groups.flatMap((samples, index) =>
    samples.map(({ x, y, colour }) => colourDistance(colour, surfaces[index]?.at(x, y) ?? colour)),
  );
  const noise = 1.2 * median(deviations);
  if (noise > maxNoise) return null;
  return { surfaces, noise, seeds: groups.flat(), confidence: plainShare * (1 - noise / (2 * maxNoise)) };
}

function shareOn(surface: Surface, ring: readonly BorderSample[]): number {
  const isOn = ({ x, y, colour }: BorderSample) =>
    colourDistance(colour, surface.at(x, y)) <= onSurfaceDistance;
  return ring.filter(isOn).length / ring.length;
}

/** Pixels between samples of the flood-filled background. */
const sampleStep = 5;
/** A surface with fewer samples is not refitted. */
const minSamples = 60;

/** Refits the model to all background found so far, which may be lighter in the middle than at the border. */
export function refitBackground(
  { surfaces, ...rest }: BackgroundModel,
  copy: SmallCopy,
  background: Uint8Array,
): BackgroundModel {
  const found: Point[][] = surfaces.map(() => []);
  for (let y = 0; y < copy.height; y += sampleStep) {
    for (let x = 0; x < copy.width; x += sampleStep) {
      const at = y * copy.width + x;
      if (background[at])
        found[nearestSurface(surfaces, x, y, colourAt(copy, at))]?.push({ x, y, colour: colourAt(copy, at) });
    }
  }
  const refitted = surfaces.map((surface, index) => {
    const points = found[index] ?? [];
    return points.length < minSamples ? surface : fitSurface(points, copy);
  });
  return { ...rest, surfaces: refitted };
}

function nearestSurface(surfaces: readonly Surface[], x: number, y: number, colour: OkLab): number {
  const distances = surfaces.map((surface) => colourDistance(surface.at(x, y), colour));
  return distances.indexOf(Math.min(...distances));
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

function groupArcs(arcs: readonly BorderArc[]): BorderSample[][] {
  const groups: BorderArc[][] = [];
  for (const arc of arcs) {
    const near = groups.filter((members) => members.some((member) => haveSameColour(member, arc)));
    const merged = [...near.flat(), arc];
    for (const old of near) groups.splice(groups.indexOf(old), 1);
    groups.push(merged);
  }
  return groups.map((members) => members.flat());
}

function haveSameColour(one: BorderArc, other: BorderArc): boolean {
  const colours = (arc: BorderArc): OkLab[] => [colourOf(arc, 0), meanOf(arc), colourOf(arc, arc.length - 1)];
  return colours(one).some((mine) =>
    colours(other).some((theirs) => colourDistance(mine, theirs) < sameColourDistance),
  );
}

const colourOf = (arc: BorderArc, at: number): OkLab => (arc[at] as BorderSample).colour;

function meanOf(arc: BorderArc): OkLab {
  const mean = (c: 0 | 1 | 2) => arc.reduce((sum, { colour }) => sum + colour[c], 0) / arc.length;
  return [mean(0), mean(1), mean(2)];
}

/** Ignores colours that appear only at the lower border, where people and objects are cropped. */
function isBackground(samples: readonly BorderSample[], { width, height }: SmallCopy): boolean {
  const on = (side: BorderSample["side"]) => samples.filter((sample) => sample.side === side).length;
  const [top, left, right] = [on("top"), on("left"), on("right")];
  return (
    top >= minTopShare * width ||
    Math.min(left, right) >= minSidesShare * height ||
    top + left + right >= minTotalShare * (width + 2 * height)
  );
}
