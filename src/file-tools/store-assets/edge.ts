/** Finds the colour along a picture's edge, with which its background can be continued. */
import { type Picture, toSharp } from "../picture.js";

export interface Colour {
  r: number;
  g: number;
  b: number;
}

export interface PictureEdge {
  /** The background colour, or a contrasting colour for a picture with a transparent background. */
  colour: Colour;
  /** The edge has one colour, so that the picture blends into a background of that colour. */
  isEven: boolean;
  isTransparent: boolean;
}

const white: Colour = { r: 255, g: 255, b: 255 };
const dark: Colour = { r: 17, g: 24, b: 39 };
/** Mean lightness, of 255, from which a transparent picture gets a dark background instead of a white one. */
const lightThreshold = 200;

/** Side, in pixels, of the downscaled copy that is sampled. */
const sampleSize = 64;
/** Channel difference, of 255, up to which a pixel has the edge colour. */
const colourTolerance = 14;
const maxOutlierShare = 0.1;

export async function readEdge(picture: Picture): Promise<PictureEdge> {
  const small = await toSharp(picture)
    .resize(sampleSize, sampleSize, { fit: "fill" })
    .ensureAlpha()
    .raw()
    .toBuffer();
  const pixels = Array.from({ length: sampleSize * sampleSize }, (_, at) => {
    const [r = 0, g = 0, b = 0, a = 0] = small.subarray(at * 4, at * 4 + 4);
    return { r, g, b, a };
  });
  const rim = pixels.filter((_, at) => isOnRim(at % sampleSize, Math.floor(at / sampleSize)));
  const opaque = rim.filter(({ a }) => a > 250);
  if (opaque.length < rim.length / 2)
    return { colour: contrastingColour(pixels), isEven: false, isTransparent: true };
  const colour = { r: median(opaque, "r"), g: median(opaque, "g"), b: median(opaque, "b") };
  const outliers = rim.filter(
    ({ r, g, b, a }) =>
      a <= 250 ||
      Math.max(Math.abs(r - colour.r), Math.abs(g - colour.g), Math.abs(b - colour.b)) > colourTolerance,
  );
  return { colour, isEven: outliers.length <= rim.length * maxOutlierShare, isTransparent: false };
}

const isOnRim = (x: number, y: number): boolean =>
  x === 0 || y === 0 || x === sampleSize - 1 || y === sampleSize - 1;

function contrastingColour(pixels: readonly (Colour & { a: number })[]): Colour {
  let light = 0;
  let seen = 0;
  for (const { r, g, b, a } of pixels) {
    light += a * (0.299 * r + 0.587 * g + 0.114 * b);
    seen += a;
  }
  return light > lightThreshold * seen ? dark : white;
}

const median = (pixels: readonly Colour[], channel: keyof Colour): number =>
  pixels.map((pixel) => pixel[channel]).sort((a, b) => a - b)[pixels.length >> 1] ?? 0;
