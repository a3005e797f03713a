/** What a picture shows along its edge: the background that goes on around it. */
import { fromPixels, type Picture } from "../picture.js";

export interface Colour {
  r: number;
  g: number;
  b: number;
}

export interface Edge {
  /** The colour to go on with; for a picture on a transparent ground one that it stands out from. */
  colour: Colour;
  /** One colour all around, so that nobody sees where the picture ends. */
  isEven: boolean;
  isTransparent: boolean;
}

const white: Colour = { r: 255, g: 255, b: 255 };
const dark: Colour = { r: 17, g: 24, b: 39 };
/** Of 255: a picture as light as this is lost on white. */
const tooLight = 200;

/** Looked at in a copy of so many pixels a side. */
const side = 64;
/** Of 255: colours nearer than this pass for one. */
const near = 14;
const mostStrays = 0.1;

export async function readEdge(picture: Picture): Promise<Edge> {
  const small = await fromPixels(picture).resize(side, side, { fit: "fill" }).ensureAlpha().raw().toBuffer();
  const pixels = Array.from({ length: side * side }, (_, at) => {
    const [r = 0, g = 0, b = 0, a = 0] = small.subarray(at * 4, at * 4 + 4);
    return { r, g, b, a };
  });
  const rim = pixels.filter((_, at) => isOnRim(at % side, Math.floor(at / side)));
  const opaque = rim.filter(({ a }) => a > 250);
  if (opaque.length < rim.length / 2)
    return { colour: standingOut(pixels), isEven: false, isTransparent: true };
  const colour = { r: median(opaque, "r"), g: median(opaque, "g"), b: median(opaque, "b") };
  const strays = rim.filter(
    ({ r, g, b, a }) =>
      a <= 250 || Math.max(Math.abs(r - colour.r), Math.abs(g - colour.g), Math.abs(b - colour.b)) > near,
  );
  return { colour, isEven: strays.length <= rim.length * mostStrays, isTransparent: false };
}

const isOnRim = (x: number, y: number): boolean => x === 0 || y === 0 || x === side - 1 || y === side - 1;

function standingOut(pixels: readonly (Colour & { a: number })[]): Colour {
  let light = 0;
  let seen = 0;
  for (const { r, g, b, a } of pixels) {
    light += a * (0.299 * r + 0.587 * g + 0.114 * b);
    seen += a;
  }
  return light > tooLight * seen ? dark : white;
}

const median = (pixels: readonly Colour[], channel: keyof Colour): number =>
  pixels.map((pixel) => pixel[channel]).sort((a, b) => a - b)[pixels.length >> 1] ?? 0;
