/** SVG markup in which nothing of the outside can be anything but text. */

/** Every logo is drawn on a square of so many units. */
export const side = 512;

const marks: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What XML 1.0 cannot hold, not even escaped, lone halves of surrogate pairs among it. */
const unwritable = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export const escaped = (text: string): string =>
  text.replaceAll(unwritable, "\ufffd").replaceAll(/[&<>"']/g, (mark) => marks[mark] as string);

type Attributes = Readonly<Record<string, string | number>>;

const rounded = (value: string | number): string =>
  typeof value === "number" ? String(Math.round(value * 100) / 100) : escaped(value);

/** An element; its content is markup that was made here. */
export const element = (name: string, attributes: Attributes, ...content: readonly string[]): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${rounded(value)}"`);
  return content.length === 0
    ? `<${name}${written.join("")}/>`
    : `<${name}${written.join("")}>${content.join("")}</${name}>`;
};

export const circle = (cx: number, cy: number, r: number, more: Attributes): string =>
  element("circle", { cx, cy, r, ...more });

/** Its numbers come as they were reckoned. */
export const path = (d: string, more: Attributes): string =>
  element("path", {
    d: d.replaceAll(/-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/g, (number) => rounded(Number(number))),
    ...more,
  });

/** A `transform`, in degrees. */
export const rotate = (degrees: number, x: number, y: number): string =>
  `rotate(${rounded(degrees)} ${x} ${y})`;

/** A point on a circle; 0 is at the top, and a whole turn is 1. */
export function onCircle(cx: number, cy: number, r: number, turn: number): [x: number, y: number] {
  const angle = (turn - 0.25) * 2 * Math.PI;
  return [cx + r * Math.cos(angle), cy + r * Math.sin(angle)];
}

export const point = ([x, y]: readonly [number, number]): string => `${rounded(x)} ${rounded(y)}`;
