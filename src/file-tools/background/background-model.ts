/** Models the background by the pixels along the border: their colours, and a smooth surface through them. */
import { median } from "../median.js";
import type { SmallCopy } from "./small-copy.js";

/** Returns one channel of the surface's colour at a pixel: 0 for lightness, 1 and 2 for the axes a and b. */
type Surface = (channel: 0 | 1 | 2, x: number, y: number) => number;

const colourOn = (surface: Surface, x: number, y: number): OkLab => [
  surface(0, x, y),
  surface(1, x, y),
  surface(2, x, y),
];

interface Size {
  width: number;
  height: number;
}

const fitRounds = 4;
/** Colour distance from which the weight of an outlier falls off. */
const outlierTolerance = 0.02;
/** Ridge penalty of each term, as a share of the number of samples. Keeps undetermined terms small. */
const ridge = [0, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001];

/** Fits a smooth colour surface (gradient, vignette or spotlight) to samples by robust least squares. */
function fitSurface(samples: readonly Point[], { width, height }: Size): Surface {
  const terms = (x: number, y: number): number[] => {
    const u = (2 * x) / width - 1;
    const v = (2 * y) / height - 1;
    // The last term models a spotlight, which peaks in the middle.
    return [1, u, v, u * u, v * v, u * v, Math.hypot(u, v)];
  };
  const rows = samples.map(({ x, y }) => terms(x, y));
  const weights = samples.map(() => 1);
  let coefficients: number[][] = [];
  for (let round = 0; round < fitRounds; round++) {
    coefficients = ([0, 1, 2] as const).map((c) =>
      leastSquares(
        rows,
        samples.map(({ colour }) => colour[c]),
        weights,
      ),
    );
    for (const [i, { colour }] of samples.entries()) {
      const error = Math.hypot(
        ...coefficients.map((factors, c) => dot(factors, rows[i] as number[]) - (colour[c] as number)),
      );
      weights[i] = 1 / (1 + (error / outlierTolerance) ** 2);
    }
  }
  return (channel, x, y) => {
    const [middle = 0, du = 0, dv = 0, duu = 0, dvv = 0, duv = 0, peak = 0] = coefficients[channel] ?? [];
    const u = (2 * x) / width - 1;
    const v = (2 * y) / height - 1;
    return middle + v * (dv + v * dvv) + u * (du + u * duu + v * duv) + peak * Math.sqrt(u * u + v * v);
  };
}

function dot(factors: readonly number[], terms: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < terms.length; i++) sum += (factors[i] as number) * (terms[i] as number);
  return sum;
}

/** Solves weighted ridge regression through its normal equations. */
function leastSquares(
  rows: readonly number[][],
  values: readonly number[],
  weights: readonly number[],
): number[] {
  const size = ridge.length;
  const matrix = ridge.map((penalty, i) =>
    Array.from({ length: size + 1 }, (_, j) => (i === j ? penalty * rows.length + 1e-9 : 0)),
  );
  for (const [k, row] of rows.entries()) {
    const weight = weights[k] as number;
    for (let i = 0; i < size; i++) {
      const line = matrix[i] as number[];
      const scaled = weight * (row[i] as number);
      for (let j = 0; j < size; j++) line[j] = (line[j] as number) + scaled * (row[j] as number);
      line[size] = (line[size] as number) + scaled * (values[k] as number);
    }
  }
  return eliminate(matrix);
}

/** Solves the equations by Gauss-Jordan elimination. The matrix is positive definite, so no pivoting is needed. */
function eliminate(matrix: number[][]): number[] {
  const size = matrix.length;
  const at = (i: number, j: number): number => (matrix[i] as number[])[j] as number;
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < size; k++) {
      if (k === i) continue;
      const factor = at(k, i) / at(i, i);
      for (let j = i; j <= size; j++) (matrix[k] as number[])[j] = at(k, j) - factor * at(i, j);
    }
  }
  return matrix.map((_, i) => at(i, size) / at(i, i));
}

type OkLab = readonly [lightness: number, a: number, b: number];

/** The colour at one pixel. */
interface Point {
  x: number;
  y: number;
  colour: OkLab;
}

interface BorderSample extends Point {
  side: "top" | "right" | "bottom" | "left";
}

/** Neighbouring samples without a colour jump. */
type BorderArc = readonly BorderSample[];

/** Colour distance from which two samples belong to different arcs. */
const jumpDistance = 0.05;
/** Samples on each side across which a jump is measured, because an edge may be soft. */
const jumpSpan = 3;
/** Distance of a sample from the border, because scanners and crops distort the outermost pixels. */
const insetPixels = 1;

const colourDistance = (one: OkLab, other: OkLab): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);

const colourAt = ({ lightness, a, b }: SmallCopy, at: number): OkLab => [
  lightness[at] as number,
  a[at] as number,
  b[at] as number,
];

/** Returns samples along the border, clockwise from the upper left corner. */
function sampleBorder(copy: SmallCopy): BorderSample[] {
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

/**
 * Splits the ring of samples into arcs where its colour jumps. A plain background or a gradient is one arc; an object
 * that touches the border adds its own arcs.
 */
function splitIntoArcs(ring: readonly BorderSample[]): BorderArc[] {
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
/** Minimum length of an arc, as a share of the border. Shorter arcs are edges or texture. */
const minArcShare = 0.01;
/** Minimum shares of the top, of both sides, or of all three. A colour with any of these is a background. */
const minTopShare = 0.2;
const minSidesShare = 0.3;
const minTotalShare = 0.4;
/** Minimum plain share of top and sides. Below it, the picture has no plain background. */
const minPlainShare = 0.35;
/** Minimum share of the border on one smooth surface. Below it, there is a scene behind the object. */
const minOneSurfaceShare = 0.45;
/** Colour distance from a surface up to which a border sample is on it. */
const onSurfaceDistance = 0.05;
/** Maximum noise of a border. A border with more noise is texture. */
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
    samples.map(({ x, y, colour }) => colourDistance(colour, colourOn(surfaces[index] as Surface, x, y))),
  );
  const noise = 1.2 * median(deviations);
  if (noise > maxNoise) return null;
  return { surfaces, noise, seeds: groups.flat(), confidence: plainShare * (1 - noise / (2 * maxNoise)) };
}

function shareOn(surface: Surface, ring: readonly BorderSample[]): number {
  const isOn = ({ x, y, colour }: BorderSample) =>
    colourDistance(colour, colourOn(surface, x, y)) <= onSurfaceDistance;
  return ring.filter(isOn).length / ring.length;
}

/** Pixels between samples of the flood-filled background. */
const sampleStep = 5;
/** Minimum number of samples with which a surface is refitted. */
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
  const distances = surfaces.map((surface) => colourDistance(colourOn(surface, x, y), colour));
  return distances.indexOf(Math.min(...distances));
}

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
