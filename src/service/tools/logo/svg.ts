/** Builds SVG markup that is safe from injection: all input is escaped. */
import { escapeMarkup } from "../../../contract/escape-markup.js";

/** Width and height of every logo, in user units. */
export const side = 512;

type Attributes = Readonly<Record<string, string | number>>;

const rounded = (value: string | number): string =>
  typeof value === "number" ? String(Math.round(value * 100) / 100) : escapeMarkup(value);

/** Returns an element. Its content must be markup from this module. */
export const element = (name: string, attributes: Attributes, ...content: readonly string[]): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${rounded(value)}"`);
  return content.length === 0
    ? `<${name}${written.join("")}/>`
    : `<${name}${written.join("")}>${content.join("")}</${name}>`;
};

export const circle = (cx: number, cy: number, r: number, more: Attributes): string =>
  element("circle", { cx, cy, r, ...more });

/** Returns a path, its numbers rounded. */
export const path = (d: string, more: Attributes): string =>
  element("path", {
    d: d.replaceAll(/-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/g, (number) => rounded(Number(number))),
    ...more,
  });

/** Returns a `transform` that rotates around a point. */
export const rotate = (degrees: number, x: number, y: number): string =>
  `rotate(${rounded(degrees)} ${x} ${y})`;

/** Returns a point on a circle. `turn` is 0 at the top and 1 after a full turn. */
export function onCircle(cx: number, cy: number, r: number, turn: number): [x: number, y: number] {
  const angle = (turn - 0.25) * 2 * Math.PI;
  return [cx + r * Math.cos(angle), cy + r * Math.sin(angle)];
}

export const point = ([x, y]: readonly [number, number]): string => `${rounded(x)} ${rounded(y)}`;
