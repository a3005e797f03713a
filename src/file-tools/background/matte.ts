/**
 * Cuts the object out at full size (alpha matting). The mask decides deep inside and far outside the object. Along the
 * outline, a pixel's opacity follows from its contrast with the background, whose colour is then removed from it.
 */
import type { Picture, Pixels } from "../picture.js";
import { type ColourEstimates, estimateColours } from "./colour-estimates.js";
import { signedDistance } from "./signed-distance.js";
import type { SmallCopy } from "./small-copy.js";

/** Matted zone around the outline, in pixels of the small copy. Hair reaches further out than edges are soft inside. */
const outwardPixels = 9;
const inwardPixels = 3.5;
/** At this contrast, of 255, or more, the matted zone reaches `maxDepthPixels` into the object. */
const clearContrast = 120;
const maxDepthPixels = 12;
/** Lower limit of the estimated contrast between object and background, of 255. */
const minContrast = 26;
/** Shares of the contrast from which a pixel is opaque, at a sharp and at a soft edge. Below 1, since objects vary in colour. */
const opaqueShare = 0.85;
const softOpaqueShare = 0.97;
/** Edge width, in pixels of the small copy, from which an edge counts as fully soft. */
const softEdgePixels = 8;
/** Reach of a soft edge outside the outline, and its depth inside, as factors of its width. */
const softReachFactor = 0.6;
const softDepthFactor = 1.1;
/** Distance from the outline, in pixels of the small copy, beyond which there is no soft edge. */
const maxSoftReachPixels = 70;

/** Position of a pixel relative to the outline, in pixels of the small copy. */
interface OutlinePosition {
  /** Signed distance, positive inside the object. */
  distance: number;
  edgeWidth: number;
  /** How far outside the outline pixels are matted. */
  reach: number;
}

interface MattingContext {
  distance: Float32Array;
  colours: ColourEstimates;
  /** Contrast with the background, of 255, that is noise. */
  noise: number;
  /** Pixels of the small copy per pixel of the picture. */
  scale: { x: number; y: number };
}

/** Makes the background transparent. `background` is a mask of the small copy that is nonzero on the background. */
export function cutOut(picture: Picture, copy: SmallCopy, background: Uint8Array): Pixels {
  const { width, height } = copy;
  const distance = signedDistance(background, width, height);
  const scale = { x: width / picture.width, y: height / picture.height };
  const matting: MattingContext = { distance, colours: estimateColours(copy, distance), noise: 0, scale };
  matting.noise = 2 + 1.9 * measureNoise(picture, copy, matting);
  const data = Buffer.alloc(picture.width * picture.height * 4);
  for (let y = 0; y < picture.height; y++) cutRow(picture, copy, matting, y, data);
  return { data, width: picture.width, height: picture.height, channels: 4 };
}

function cutRow(
  picture: Picture,
  { width, height }: SmallCopy,
  matting: MattingContext,
  y: number,
  data: Buffer,
): void {
  const { data: source, channels } = picture;
  const { distance: distances, colours, scale } = matting;
  const row = Math.min(height - 1, Math.max(0, (y + 0.5) * scale.y - 0.5));
  const upper = Math.floor(row);
  const lower = Math.min(height - 1, upper + 1) * width;
  for (let x = 0; x < picture.width; x++) {
    const column = Math.min(width - 1, Math.max(0, (x + 0.5) * scale.x - 0.5));
    const left = Math.floor(column);
    const right = Math.min(width - 1, left + 1);
    const above = lerp(distances, upper * width + left, upper * width + right, column - left);
    const below = lerp(distances, lower + left, lower + right, column - left);
    const distance = above + (row - upper) * (below - above);
    const [copyX, copyY] = [(x + 0.5) * scale.x, (y + 0.5) * scale.y];
    const isNearOutline = distance < maxSoftReachPixels && distance > -maxSoftReachPixels;
    const edgeWidth = isNearOutline ? colours.edgeWidth(copyX, copyY) : 0;
    const reach = Math.max(outwardPixels, softReachFactor * edgeWidth);
    if (distance <= -reach) continue;
    const to = (y * picture.width + x) * 4;
    const from = (y * picture.width + x) * channels;
    source.copy(data, to, from, from + 3);
    data[to + 3] = 255;
    if (distance < maxDepthPixels || distance < softDepthFactor * edgeWidth)
      mattePixel(data, to, { distance, edgeWidth, reach }, matting, copyX, copyY);
    if (channels === 4) data[to + 3] = ((data[to + 3] as number) * (source[from + 3] as number)) / 255;
    if (data[to + 3] === 0) data.fill(0, to, to + 3);
  }
}

const lerp = (values: Float32Array, a: number, b: number, share: number): number =>
  (values[a] as number) + share * ((values[b] as number) - (values[a] as number));

/** Sets the opacity and colour of one pixel. `x` and `y` are in pixels of the small copy. */
function mattePixel(
  data: Buffer,
  to: number,
  position: OutlinePosition,
  matting: MattingContext,
  x: number,
  y: number,
): void {
  const background = matting.colours.background(x, y);
  const foreground = matting.colours.foreground(x, y);
  let pixelContrast = 0;
  let fullContrast = 0;
  for (let c = 0; c < 3; c++) {
    pixelContrast += ((data[to + c] as number) - (background[c] as number)) ** 2;
    fullContrast += ((foreground[c] as number) - (background[c] as number)) ** 2;
  }
  const contrast = Math.max(minContrast, Math.sqrt(fullContrast));
  const { distance, reach } = position;
  const byColour = colourAlpha(position, Math.sqrt(pixelContrast), contrast, matting.noise);
  const byDepth = depthAlpha(position, contrast);
  const alpha = distance > 0 ? Math.max(byColour, byDepth) : byColour * Math.min(1, (reach + distance) / 3);
  data[to + 3] = Math.round(alpha * 255);
  if (alpha > 0 && byColour < 1) despill(data, to, byColour, byDepth, background, foreground);
}

/** Returns how soft the edge is, 0 to 1. */
const softFactor = ({ edgeWidth }: OutlinePosition): number => Math.min(1, edgeWidth / softEdgePixels);

/** Returns the opacity of a pixel by its contrast with the background. */
function colourAlpha(
  position: OutlinePosition,
  pixelContrast: number,
  contrast: number,
  noise: number,
): number {
  const out = (-position.distance * outwardPixels) / position.reach;
  // The noise threshold rises with the distance outside the outline.
  const ignored = Math.min(noise * (1 + Math.max(0, out - 1) / 4), contrast / 2);
  const full = (opaqueShare + softFactor(position) * (softOpaqueShare - opaqueShare)) * contrast;
  return Math.min(1, Math.max(0, (pixelContrast - ignored) / (full - ignored)));
}

/** Returns the opacity of a pixel by its depth inside the object, whatever its colour. */
function depthAlpha(position: OutlinePosition, contrast: number): number {
  const depth = inwardPixels + (maxDepthPixels - inwardPixels) * Math.min(1, contrast / clearContrast);
  const inner = Math.max(0, position.distance) / Math.max(depth, softDepthFactor * position.edgeWidth);
  return Math.min(1, inner) ** (2 + 6 * softFactor(position));
}

/** Opacity from which a pixel's own colour, with the background removed, is fully trusted. */
const reliableAlpha = 0.5;
const minAlpha = 0.01;

/** Removes the background's colour from a mixed pixel. A faint pixel takes more of the estimated foreground colour. */
function despill(
  data: Buffer,
  to: number,
  byColour: number,
  byDepth: number,
  background: readonly number[],
  foreground: readonly number[],
): void {
  const trust = Math.min(1, byColour / reliableAlpha);
  for (let c = 0; c < 3; c++) {
    const mixed = data[to + c] as number;
    const unmixed = (mixed - (1 - byColour) * (background[c] as number)) / Math.max(minAlpha, byColour);
    const pure = trust * Math.min(255, Math.max(0, unmixed)) + (1 - trust) * (foreground[c] as number);
    data[to + c] = Math.round(byDepth * mixed + (1 - byDepth) * pure);
  }
}

/** Every this many pixels, one is measured. */
const noiseSampleStep = 97;

/** Returns the median contrast, of 255, between the picture and the estimated background outside the object. */
function measureNoise(
  picture: Picture,
  { width, height }: SmallCopy,
  { distance, colours, scale }: MattingContext,
): number {
  const contrasts: number[] = [];
  for (let at = 0; at < picture.width * picture.height; at += noiseSampleStep) {
    const x = ((at % picture.width) + 0.5) * scale.x;
    const y = (Math.floor(at / picture.width) + 0.5) * scale.y;
    const copyAt = Math.min(height - 1, Math.floor(y)) * width + Math.min(width - 1, Math.floor(x));
    if ((distance[copyAt] as number) > -outwardPixels) continue;
    const colour = colours.background(x, y);
    const from = at * picture.channels;
    contrasts.push(Math.hypot(...colour.map((value, c) => (picture.data[from + c] as number) - value)));
  }
  return contrasts.sort((a, b) => a - b)[contrasts.length >> 1] ?? 0;
}
