/** Draws a company's logo as SVG, in one of four styles. The same input gives the same bytes on every sandbox. */

import { escapeMarkup } from "../../contract/escape-markup.js";
import { Random } from "../../time/random.js";
import {
  breakLines,
  fittingSize,
  graphemes,
  initials,
  isJoining,
  normaliseName,
  textWidth,
  truncateName,
} from "./lettering.js";

interface Colours {
  primary: string;
  secondary: string;
}

/** Width and height of every logo, in user units. */
const side = 512;
const middle = side / 2;

type Attributes = Readonly<Record<string, string | number>>;

/** Returns an element: its attributes are escaped and have two decimals at most. Its content must be markup. */
function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === "number" ? rounded(value) : escapeMarkup(value)}"`,
  );
  return content.length === 0
    ? `<${name}${written.join("")}/>`
    : `<${name}${written.join("")}>${content.join("")}</${name}>`;
}

/** Rounds to two decimals. Integers stay as they are: a hundred times a very large one is infinite. */
const rounded = (value: number): string =>
  String(Number.isInteger(value) ? value : Math.round(value * 100) / 100);

/** Writes path data and transforms. */
const draw = (parts: TemplateStringsArray, ...numbers: readonly number[]): string =>
  String.raw(parts, ...numbers.map(rounded));

const circle = (cx: number, cy: number, r: number, more: Attributes): string =>
  element("circle", { cx, cy, r, ...more });

const white = "#ffffff";
const ink = "#111827";

/** Returns the relative luminance (WCAG 2). `#abc` is `#aabbcc`. */
function luminance(colour: string): number {
  const hex = colour.slice(1).replace(/^(.)(.)(.)$/, "$1$1$2$2$3$3");
  const [r = 0, g = 0, b = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns the contrast ratio, from 1 to 21 (WCAG 2). */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Contrast of large text (WCAG 2, level AA), and of decoration next to larger shapes. */
const [minTextContrast, minVisibleContrast] = [3, 1.4];

/** Returns the preferred colour if it is readable on the background, otherwise white or ink. */
function readableOn(background: string, preferred: string): string {
  if (contrast(background, preferred) >= minTextContrast) return preferred;
  return contrast(background, white) >= contrast(background, ink) ? white : ink;
}

const family = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Noto Sans', sans-serif";

/** Draws a centred line. `y` is its baseline. `initialFill` is the colour of the first letter. */
function line(text: string, y: number, size: number, fill: string, initialFill?: string): string {
  const [initial = "", ...others] = graphemes(text);
  const content =
    initialFill === undefined
      ? escapeMarkup(text)
      : element("tspan", { fill: initialFill }, escapeMarkup(initial)) + escapeMarkup(others.join(""));
  return element("text", { x: middle, y, ...typeOf(size), fill }, content);
}

const typeOf = (size: number): Attributes => ({
  "font-family": family,
  "font-size": size,
  "font-weight": 700,
  "text-anchor": "middle",
});

/** Draws the initials on a tile with one corner in the secondary colour. */
function monogram(name: string, { primary, secondary }: Colours): string {
  const letters = initials(name);
  const size = fittingSize(letters, 380, 270);
  return [
    element("rect", { width: side, height: side, rx: 112, fill: primary }),
    element("path", { d: "M312 0H400A112 112 0 0 1 512 112V200Z", fill: secondary }),
    line(letters, middle + size * 0.36, size, readableOn(primary, white)),
  ].join("");
}

/** Draws the underlined name, its first letter in the secondary colour unless it joins the next. */
function wordmark(name: string, { primary, secondary }: Colours): string {
  const rows = breakLines(truncateName(name));
  const size = Math.min(340 / rows.length, ...rows.map((row) => fittingSize(row, 472, 150)));
  const height = size * 1.12;
  const top = middle - (height * rows.length) / 2 + size * 0.82 - 18;
  const initialFill = contrast(white, secondary) >= minVisibleContrast ? secondary : primary;
  const texts = rows.map((row, at) =>
    line(row, top + at * height, size, primary, at === 0 && !isJoining(row) ? initialFill : undefined),
  );
  const half = Math.max(60, (Math.max(...rows.map(textWidth)) * size) / 2);
  const under = top + (rows.length - 1) * height + 34 + size * 0.18;
  const stroke = {
    fill: "none",
    stroke: secondary,
    "stroke-width": Math.max(8, size * 0.09),
    "stroke-linecap": "round",
  };
  return [
    ...texts,
    element("path", { d: draw`M${middle - half} ${under}H${middle + half}`, ...stroke }),
  ].join("");
}

const petalsY = 196;

/** Draws overlapping petals, whose number and shape follow from the name, with the name beneath. */
function abstract(name: string, { primary, secondary }: Colours, random: Random): string {
  const [count, offset, width] = [random.integer(4, 8), random.integer(0, 44), random.integer(44, 76)];
  const [left, right] = [middle - width, middle + width];
  const petal = draw`M${middle} ${petalsY}C${left} 106 ${left + width * 0.4} 16 ${middle} 10C${right - width * 0.4} 16 ${right} 106 ${middle} ${petalsY}Z`;
  const petals = Array.from({ length: count }, (_, at) =>
    element("path", {
      d: petal,
      fill: at % 2 === 0 ? primary : secondary,
      "fill-opacity": 0.82,
      transform: draw`rotate(${offset + (at * 360) / count} ${middle} ${petalsY})`,
    }),
  );
  const rows = breakLines(truncateName(name));
  // More than two lines keep clear of the petals.
  const size = Math.min(
    96 / rows.length,
    ...rows.map((row) => fittingSize(row, 490, rows.length > 1 ? 40 : 60)),
  );
  return [
    element("g", {}, ...petals),
    circle(middle, petalsY, random.integer(14, 30), { fill: primary }),
    ...rows.map((row, at) => line(row, 478 - (rows.length - 1 - at) * size * 1.1, size, ink)),
  ].join("");
}

const discRadius = 176;
/** Radius of the baseline of a name around the disc. */
const nameRadius = 196;

/** Returns the part of the circle that a text around the disc takes up. */
const turnOf = (text: string, size: number): number => (textWidth(text) * size) / (2 * Math.PI * nameRadius);

/** Returns a point on a circle. `turn` is 0 at the top and 1 after a full turn. */
function onCircle(radius: number, turn: number): [x: number, y: number] {
  const angle = (turn - 0.25) * 2 * Math.PI;
  return [middle + radius * Math.cos(angle), middle + radius * Math.sin(angle)];
}

/** Draws a notched seal with the initials inside and the name around them, or below them in scripts whose letters join. */
function badge(name: string, { primary, secondary }: Colours, random: Random): string {
  const text = truncateName(name).toLocaleUpperCase("en");
  const corners = 2 * random.integer(24, 40);
  const ring = Array.from({ length: corners }, (_, at) => {
    const [x, y] = onCircle(at % 2 === 0 ? 248 : 236, at / corners);
    return draw`${x} ${y}`;
  });
  const onDisc = readableOn(secondary, primary);
  const drawName = isJoining(text) ? nameInDisc : nameAroundDisc;
  return [
    element("path", { d: `M${ring.join("L")}Z`, fill: primary }),
    circle(middle, middle, discRadius, { fill: secondary }),
    circle(middle, middle, discRadius - 12, { fill: "none", stroke: onDisc, "stroke-width": 4 }),
    ...drawName(text, initials(name), onDisc, primary),
  ].join("");
}

/** Draws the name letter by letter around the disc, as not every viewer supports text on a path. */
function nameAroundDisc(text: string, letters: string, onDisc: string, ring: string): string[] {
  const initialsSize = fittingSize(letters, 210, 150);
  const size = Math.min(40, 0.8 / turnOf(text, 1));
  const fill = readableOn(ring, white);
  let turn = -turnOf(text, size) / 2;
  const around = graphemes(text).map((letter) => {
    const width = turnOf(letter, size);
    const transform = draw`rotate(${(turn + width / 2) * 360} ${middle} ${middle})`;
    turn += width;
    if (letter === " ") return "";
    const place = { x: middle, y: middle - nameRadius, transform };
    return element("text", { ...place, ...typeOf(size), fill }, escapeMarkup(letter));
  });
  const freeTurn = 1 - turnOf(text, size) - 0.06;
  return [
    line(letters, middle + initialsSize * 0.36, initialsSize, onDisc),
    ...around,
    ...dots(Math.min(7, freeTurn / dotTurn), fill),
  ];
}

/** Draws the initials, and the name below them. */
function nameInDisc(text: string, letters: string, onDisc: string, ring: string): string[] {
  const rows = breakLines(text);
  const size = Math.min(
    100 / rows.length,
    ...rows.map((row) => fittingSize(row, 220, rows.length > 1 ? 34 : 46)),
  );
  // More than two lines need space above.
  const centre = middle - Math.max(0, rows.length - 2) * 20;
  return [
    line(letters, centre + 12, fittingSize(letters, 200, 110), onDisc),
    ...rows.map((row, at) => line(row, centre + 72 + at * size * 1.2, size, onDisc)),
    ...dots(1 / dotTurn, readableOn(ring, white)),
  ];
}

/** Part of the circle between two dots. */
const dotTurn = 0.05;

/** Draws dots on the ring, around the bottom. */
function dots(max: number, fill: string): string[] {
  const count = Math.max(1, Math.floor(max));
  return Array.from({ length: count }, (_, at) => {
    const [x, y] = onCircle(nameRadius + 14, 0.5 + (at - (count - 1) / 2) * dotTurn);
    return circle(x, y, 7, { fill });
  });
}

const styles = { monogram, badge, abstract, wordmark } as const;

export interface LogoInput extends Colours {
  name: string;
  style: keyof typeof styles;
  /** Width and height in pixels. */
  size: number;
}

/** Draws a logo. Never throws, and draws every name as text. A name of spaces is titled "Logo". */
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
