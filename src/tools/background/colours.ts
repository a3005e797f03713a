/** The colours of ground and object along the line between them, each going on under the other. */
import { colourIn, type Field, fieldOf } from "./field.js";
import type { SmallCopy } from "./small-copy.js";
import { type Softness, softnessOf } from "./softness.js";

type Rgb = [red: number, green: number, blue: number];

/** At a point, in pixels of the small copy; 0 to 255. */
export interface Colours {
  below(x: number, y: number): Rgb;
  above(x: number, y: number): Rgb;
  softness: Softness;
}

/** Pixels this side of the line may have something of both. */
const mixed = 2;
/** Pixels of the small copy to a block of colour: the ground is smooth, the object is not. */
const groundBlock = 4;
const objectBlock = 3;
/** Of 255: a pixel of the object that differs so much from the ground counts in full; others at least so much. */
const fullWeight = 120;
const leastWeight = 0.02;
/** Pixels from there to where nothing of the ground can be mixed in. */
const pure = 5;
/** Of a soft edge's width within the line: so much of it lies outside. */
const outside = 0.45;

/** By the distance of each pixel from the line: above zero within the object. */
export function coloursOf({ width, height, rgb }: SmallCopy, distance: Float32Array): Colours {
  const far = (at: number) => distance[at] as number;
  const groundBeyond = (edge: (at: number) => number) => {
    const ground = fieldOf(rgb, width, height, groundBlock, (at) => (far(at) < -mixed - edge(at) ? 1 : 0));
    return (x: number, y: number) => colourOf(ground, x / groundBlock, y / groundBlock);
  };
  const near = groundBeyond(() => 0);
  const soft = softnessOf({ width, height, rgb }, distance, near);
  const softness = soft ?? (() => 0);
  const widthAt = (at: number) => softness((at % width) + 0.5, Math.floor(at / width) + 0.5);
  const below = soft ? groundBeyond((at) => (far(at) < 0 ? outside * widthAt(at) : 0)) : near;
  // What shows between strands of hair looks like the ground: it says little of the object.
  const object = fieldOf(rgb, width, height, objectBlock, (at) => {
    const inner = far(at) - mixed - widthAt(at);
    if (inner <= 0) return 0;
    const there = below((at % width) + 0.5, Math.floor(at / width) + 0.5);
    const differs = Math.hypot(...there.map((value, c) => (rgb[at * 3 + c] as number) - value));
    const unlike = Math.min(1, Math.max(leastWeight, (differs / fullWeight) ** 2));
    return unlike * Math.min(1, inner / pure) ** 2;
  });
  return { below, softness, above: (x, y) => colourOf(object, x / objectBlock, y / objectBlock) };
}

const colourOf = (field: Field, x: number, y: number): Rgb => [
  colourIn(field, x, y, 0),
  colourIn(field, x, y, 1),
  colourIn(field, x, y, 2),
];
