/** Draws a company's logo as SVG, in one of four styles. The same input gives the same bytes on every sandbox. */

import { escapeMarkup } from "../../contract/escape-markup.js";
import { Random } from "../../time/random.js";
import {
  around,
  breakLines,
  circle,
  element,
  fittingSize,
  initials,
  isJoining,
  line,
  middle,
  normaliseName,
  onCircle,
  path,
  point,
  rotate,
  side,
  textWidth,
  truncateName,
  turnOf,
} from "./lettering.js";

// Chooses colours with enough contrast.

export interface Colours {
  primary: string;
  secondary: string;
}

export const white = "#ffffff";
const ink = "#111827";

/** Returns red, green and blue from 0 to 1; `#abc` is `#aabbcc`. */
function rgbOf(colour: string): number[] {
  const hex = colour.slice(1);
  const whole = hex.length === 3 ? hex.replaceAll(/./g, "$&$&") : hex;
  return [0, 2, 4].map((at) => Number.parseInt(whole.slice(at, at + 2), 16) / 255);
}

/** Returns the relative luminance (WCAG 2). */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = rgbOf(colour).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast ratio, from 1 to 21 (WCAG 2). */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Contrast of large text (WCAG 2, level AA). */
const minTextContrast = 3;

/** Returns the preferred colour if it is readable on the background, otherwise white or ink. */
function readableOn(background: string, preferred: string): string {
  if (contrast(background, preferred) >= minTextContrast) return preferred;
  return contrast(background, white) >= contrast(background, ink) ? white : ink;
}

/** Contrast of decoration next to larger shapes. */
const minVisibleContrast = 1.4;

/** Returns the preferred colour if it is visible on the background, otherwise the other one. */
const visibleOn = (background: string, preferred: string, other: string): string =>
  contrast(background, preferred) >= minVisibleContrast ? preferred : other;

// The initials on a tile with one corner in the secondary colour.

const corner = 112;

/** Corners that do not touch the letters: top right and bottom left. */
const corners = [
  `M${side - 200} 0H${side - corner}A${corner} ${corner} 0 0 1 ${side} ${corner}V200Z`,
  `M200 ${side}H${corner}A${corner} ${corner} 0 0 1 0 ${side - corner}V${side - 200}Z`,
];

export function monogram(name: string, { primary, secondary }: Colours, random: Random): string {
  const letters = initials(name);
  const size = fittingSize(letters, 380, 270);
  const cut = corners[random.integer(0, corners.length - 1)] as string;
  return [
    element("rect", { width: side, height: side, rx: corner, fill: primary }),
    path(cut, { fill: secondary }),
    line(letters, {
      x: side / 2,
      y: side / 2 + size * 0.36,
      size,
      fill: readableOn(primary, white),
      weight: 800,
    }),
  ].join("");
}

// The underlined name, its first letter in the secondary colour unless it joins the next.

const maxTextWidth = 472;
const maxTextHeight = 340;

/** Underlines: a bar, a wave, or a rising line. */
const underlines: readonly ((from: number, to: number, y: number) => string)[] = [
  (from, to, y) => `M${from} ${y}H${to}`,
  (from, to, y) => {
    const step = (to - from) / 4;
    return `M${from} ${y}q${step / 2} -22 ${step} 0t${step} 0t${step} 0t${step} 0`;
  },
  (from, to, y) => `M${from} ${y + 10}Q${(from + to) / 2} ${y + 10} ${to} ${y - 14}`,
];

export function wordmark(name: string, { primary, secondary }: Colours, random: Random): string {
  const rows = breakLines(truncateName(name));
  const size = Math.min(
    maxTextHeight / rows.length,
    ...rows.map((row) => fittingSize(row, maxTextWidth, 150)),
  );
  const height = size * 1.12;
  const top = middle - (height * rows.length) / 2 + size * 0.82 - 18;
  const texts = rows.map((row, index) =>
    line(
      row,
      { x: middle, y: top + index * height, size, fill: primary, weight: 800 },
      index === 0 && !isJoining(row) ? visibleOn(white, secondary, primary) : undefined,
    ),
  );
  const half = Math.max(60, (Math.max(...rows.map(textWidth)) * size) / 2);
  const draw = underlines[random.integer(0, underlines.length - 1)] as (typeof underlines)[number];
  const under = draw(middle - half, middle + half, top + (rows.length - 1) * height + 34 + size * 0.18);
  const stroke = path(under, {
    fill: "none",
    stroke: secondary,
    "stroke-width": Math.max(8, size * 0.09),
    "stroke-linecap": "round",
  });
  return texts.join("") + stroke;
}

// Overlapping petals that are derived from the name, with the name beneath.

const centre = 196;

/** Shapes of a petal, which is repeated around the centre. */
const petalShapes: readonly ((random: Random) => string)[] = [
  (random) => {
    const width = random.integer(44, 76);
    return `M${middle} ${centre}C${middle - width} ${centre - 90} ${middle - width * 0.6} ${centre - 180} ${middle} ${centre - 186}C${middle + width * 0.6} ${centre - 180} ${middle + width} ${centre - 90} ${middle} ${centre}Z`;
  },
  (random) => {
    const reach = random.integer(120, 180);
    return `M${middle} ${centre}h${reach * 0.62}a${reach * 0.62} ${reach} 0 0 0 ${-reach * 0.62} ${-reach}Z`;
  },
  (random) => {
    const size = random.integer(80, 124);
    return `M${middle - size / 2} ${centre - 32 - size}h${size}v${size * 0.55}a${size * 0.45} ${size * 0.45} 0 0 1 ${-size * 0.45} ${size * 0.45}h${-size * 0.55}Z`;
  },
];

export function abstract(name: string, { primary, secondary }: Colours, random: Random): string {
  const draw = petalShapes[random.integer(0, petalShapes.length - 1)] as (typeof petalShapes)[number];
  const petal = draw(random);
  const count = random.integer(4, 8);
  const offset = random.integer(0, 44);
  const turned = Array.from({ length: count }, (_, index) =>
    path(petal, {
      fill: index % 2 === 0 ? primary : secondary,
      "fill-opacity": 0.82,
      transform: rotate(offset + (index * 360) / count, middle, centre),
    }),
  );
  const text = truncateName(name);
  const rows = breakLines(text);
  const size = Math.min(...rows.map((row) => fittingSize(row, 490, rows.length > 1 ? 40 : 60)));
  return [
    element("g", {}, ...turned),
    circle(middle, centre, random.integer(14, 30), { fill: primary }),
    ...rows.map((row, index) =>
      line(row, { x: middle, y: 478 - (rows.length - 1 - index) * size * 1.1, size, fill: ink }),
    ),
  ].join("");
}

// A notched seal with the initials inside and the name around them, or below them in scripts whose letters join.

const outerRadius = 248;
const discRadius = 176;
/** Radius of the baseline of the name. */
const textRadius = 196;
/** Maximum part of the circle that the name takes up. */
const maxTextTurn = 0.8;

export function badge(name: string, { primary, secondary }: Colours, random: Random): string {
  const notches = random.integer(24, 40);
  const text = truncateName(name).toLocaleUpperCase("en");
  return [
    path(notchedRing(notches), { fill: primary }),
    circle(middle, middle, discRadius, { fill: secondary }),
    circle(middle, middle, discRadius - 12, {
      fill: "none",
      stroke: readableOn(secondary, primary),
      "stroke-width": 4,
    }),
    ...(isJoining(text) ? nameInDisc : nameAround)(text, initials(name), { primary, secondary }),
  ].join("");
}

function nameAround(text: string, letters: string, { primary, secondary }: Colours): string[] {
  const size = fittingSize(letters, 210, 150);
  return [
    line(letters, {
      x: middle,
      y: middle + size * 0.36,
      size,
      fill: readableOn(secondary, primary),
      weight: 800,
    }),
    around(text, {
      cx: middle,
      cy: middle,
      radius: textRadius,
      size: textSize(text),
      fill: readableOn(primary, white),
    }),
    ...dots(1 - turnOf(text, textRadius, textSize(text)) - 0.06, readableOn(primary, secondary), 7),
  ];
}

/** Draws the disc: the initials, and the name below them. */
function nameInDisc(text: string, letters: string, { primary, secondary }: Colours): string[] {
  const fill = readableOn(secondary, primary);
  const size = fittingSize(letters, 200, 110);
  const rows = breakLines(text);
  const rowSize = Math.min(
    100 / rows.length,
    ...rows.map((row) => fittingSize(row, 220, rows.length > 1 ? 34 : 46)),
  );
  // More than two lines take their room from above.
  const centre = middle - Math.max(0, rows.length - 2) * 20;
  return [
    line(letters, { x: middle, y: centre + 12, size, fill, weight: 800 }),
    ...rows.map((row, index) =>
      line(row, { x: middle, y: centre + 72 + index * rowSize * 1.2, size: rowSize, fill }),
    ),
    ...dots(1, readableOn(primary, secondary), 20),
  ];
}

function notchedRing(notches: number): string {
  const points = Array.from({ length: notches * 2 }, (_, index) =>
    point(onCircle(middle, middle, index % 2 === 0 ? outerRadius : outerRadius - 12, index / (notches * 2))),
  );
  return `M${points.join("L")}Z`;
}

const textSize = (text: string): number => Math.min(40, maxTextTurn / turnOf(text, textRadius, 1));

/** Draws dots around the bottom, in the part of the circle that the name leaves free. */
function dots(freeTurn: number, fill: string, maxDots: number): string[] {
  const count = Math.max(1, Math.min(maxDots, Math.floor(freeTurn / 0.05)));
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = onCircle(middle, middle, textRadius + 14, 0.5 + (index - (count - 1) / 2) * 0.05);
    return circle(x, y, 7, { fill });
  });
}

const styles = { monogram, badge, abstract, wordmark } as const satisfies Record<
  string,
  (name: string, colours: Colours, random: Random) => string
>;
export type LogoStyle = keyof typeof styles;

export interface LogoInput extends Colours {
  name: string;
  style: LogoStyle;
  /** Width and height in pixels. */
  size: number;
}

/** Never throws; every name is drawn as text. A name of spaces is titled "Logo". */
export function drawLogo({ name, style, size, ...colours }: LogoInput): string {
  const text = normaliseName(name) || "Logo";
  const drawn = styles[style](text, colours, Random.seeded("logo", style, text));
  // Unique in a page that embeds several logos.
  const id = `logo-${Random.seeded("logo id", style, text, `${size}`, ...Object.values(colours)).letters(10)}`;
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width: size,
      height: size,
      viewBox: `0 0 ${side} ${side}`,
      role: "img",
      "aria-labelledby": id,
    },
    element("title", { id }, escapeMarkup(`${truncateName(text)} logo`)),
    element("g", { "aria-hidden": "true" }, drawn),
  );
}
