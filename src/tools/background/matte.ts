/**
 * Cuts the object out at full size. Deep in it and far from it the mask decides; along the line between them each
 * pixel is as opaque as it differs from the background's colour there, and gives up what it has of that colour.
 */
import type { Picture, Pixels } from "../picture.js";
import { type Colours, coloursOf } from "./colours.js";
import { signedDistance } from "./distance.js";
import type { Mask } from "./mask.js";
import type { SmallCopy } from "./small-copy.js";

/** Pixels of the small copy on either side of the line: hair reaches far out, edges are soft a little way in. */
const outward = 9;
const inward = 3.5;
/** Where the two differ so much (of 255) that a pixel of the ground's colour is ground, it may lie so deep. */
const clearContrast = 120;
const deepest = 12;
/** Of 255: an object that differs less from its ground is taken to differ so much. */
const leastContrast = 26;
/** Of the contrast: with so much a pixel is opaque, since an object's colours vary. */
const enough = 0.85;
/** The same along a soft edge, where colours vary for the ground that shows through. */
const enoughWhereSoft = 0.97;
/** Pixels of the small copy: from so wide an edge on all of it counts as soft. */
const wide = 8;
/** Of a soft edge's width within the line: so far it reaches out, and so deep in all is opaque. */
const faint = 0.6;
const deepening = 1.1;
/** Pixels of the small copy: no soft edge reaches further. */
const furthest = 70;

/** Where a pixel lies: its distance from the line, how wide the edge is there, and how far out it reaches. */
interface Place {
  far: number;
  soft: number;
  reach: number;
}

interface Matting {
  distance: Float32Array;
  colours: Colours;
  /** Of 255: what differs less from the ground is its noise. */
  noise: number;
  /** Small pixels to one of the picture. */
  scale: { x: number; y: number };
}

export function cutOut(picture: Picture, copy: SmallCopy, { background }: Mask): Pixels {
  const { width, height } = copy;
  const distance = signedDistance(background, width, height);
  const scale = { x: width / picture.width, y: height / picture.height };
  const matting: Matting = { distance, colours: coloursOf(copy, distance), noise: 0, scale };
  matting.noise = 2 + 1.9 * noiseOf(picture, copy, matting);
  const data = Buffer.alloc(picture.width * picture.height * 4);
  for (let y = 0; y < picture.height; y++) cutRow(picture, copy, matting, y, data);
  return { data, width: picture.width, height: picture.height, channels: 4 };
}

function cutRow(
  picture: Picture,
  { width, height }: SmallCopy,
  matting: Matting,
  y: number,
  data: Buffer,
): void {
  const { data: source, channels } = picture;
  const { distance, colours, scale } = matting;
  const small = Math.min(height - 1, Math.max(0, (y + 0.5) * scale.y - 0.5));
  const upper = Math.floor(small);
  const lower = Math.min(height - 1, upper + 1) * width;
  const share = small - upper;
  for (let x = 0; x < picture.width; x++) {
    const column = Math.min(width - 1, Math.max(0, (x + 0.5) * scale.x - 0.5));
    const left = Math.floor(column);
    const right = Math.min(width - 1, left + 1);
    const above = between(distance, upper * width + left, upper * width + right, column - left);
    const below = between(distance, lower + left, lower + right, column - left);
    const far = above + share * (below - above);
    const [atX, atY] = [(x + 0.5) * scale.x, (y + 0.5) * scale.y];
    const soft = far < furthest && far > -furthest ? colours.softness(atX, atY) : 0;
    const reach = Math.max(outward, faint * soft);
    if (far <= -reach) continue;
    const to = (y * picture.width + x) * 4;
    const from = (y * picture.width + x) * channels;
    source.copy(data, to, from, from + 3);
    data[to + 3] = 255;
    if (far < deepest || far < deepening * soft)
      mattePixel(data, to, { far, soft, reach }, matting, atX, atY);
    if (channels === 4) data[to + 3] = ((data[to + 3] as number) * (source[from + 3] as number)) / 255;
    if (data[to + 3] === 0) data.fill(0, to, to + 3);
  }
}

const between = (plane: Float32Array, one: number, other: number, share: number): number =>
  (plane[one] as number) + share * ((plane[other] as number) - (plane[one] as number));

/** `x` and `y` in pixels of the small copy. */
function mattePixel(data: Buffer, to: number, place: Place, matting: Matting, x: number, y: number): void {
  const below = matting.colours.below(x, y);
  const above = matting.colours.above(x, y);
  let differs = 0;
  let contrast = 0;
  for (let c = 0; c < 3; c++) {
    differs += ((data[to + c] as number) - (below[c] as number)) ** 2;
    contrast += ((above[c] as number) - (below[c] as number)) ** 2;
  }
  const least = Math.max(leastContrast, Math.sqrt(contrast));
  const { far, reach } = place;
  const seen = share(place, Math.sqrt(differs), least, matting.noise);
  const sure = solidity(place, least);
  const alpha = far > 0 ? Math.max(seen, sure) : seen * Math.min(1, (reach + far) / 3);
  data[to + 3] = Math.round(alpha * 255);
  if (alpha > 0 && seen < 1) purify(data, to, seen, sure, below, above);
}

/** How much an edge is a soft one, 0 to 1. */
const softnessOf = ({ soft }: Place): number => Math.min(1, soft / wide);

/** How much of the object a pixel shows, by its colour alone. */
function share(place: Place, differs: number, contrast: number, noise: number): number {
  const out = (-place.far * outward) / place.reach;
  // Far out only what is clearly no background counts.
  const ignored = Math.min(noise * (1 + Math.max(0, out - 1) / 4), contrast / 2);
  const full = (enough + softnessOf(place) * (enoughWhereSoft - enough)) * contrast;
  return Math.min(1, Math.max(0, (differs - ignored) / (full - ignored)));
}

/** How opaque a pixel is for its place alone, whatever its colour. */
function solidity(place: Place, contrast: number): number {
  const depth = inward + (deepest - inward) * Math.min(1, contrast / clearContrast);
  const inner = Math.max(0, place.far) / Math.max(depth, deepening * place.soft);
  return Math.min(1, inner) ** (2 + 6 * softnessOf(place));
}

/** Below this a pixel shows too little of the object to tell its colour. */
const telling = 0.5;
const leastShare = 0.01;

/** Takes the background out of a mixed colour; what is left of a faint one is more and more the object's around it. */
function purify(
  data: Buffer,
  to: number,
  seen: number,
  sure: number,
  below: readonly number[],
  above: readonly number[],
): void {
  const trust = Math.min(1, seen / telling);
  for (let c = 0; c < 3; c++) {
    const mine = data[to + c] as number;
    const own = (mine - (1 - seen) * (below[c] as number)) / Math.max(leastShare, seen);
    const pure = trust * Math.min(255, Math.max(0, own)) + (1 - trust) * (above[c] as number);
    data[to + c] = Math.round(sure * mine + (1 - sure) * pure);
  }
}

/** Looked at for the noise: one pixel in so many. */
const stride = 97;

/** How far the picture's own pixels lie from the ground's colour where nothing else is; the median, of 255. */
function noiseOf(
  picture: Picture,
  { width, height }: SmallCopy,
  { distance, colours, scale }: Matting,
): number {
  const found: number[] = [];
  for (let at = 0; at < picture.width * picture.height; at += stride) {
    const x = ((at % picture.width) + 0.5) * scale.x;
    const y = (Math.floor(at / picture.width) + 0.5) * scale.y;
    const small = Math.min(height - 1, Math.floor(y)) * width + Math.min(width - 1, Math.floor(x));
    if ((distance[small] as number) > -outward) continue;
    const colour = colours.below(x, y);
    const from = at * picture.channels;
    found.push(Math.hypot(...colour.map((value, c) => (picture.data[from + c] as number) - value)));
  }
  return found.sort((a, b) => a - b)[found.length >> 1] ?? 0;
}
