/** Marks and letters of a logo: elements of SVG, and names broken into lines of a fitting size. */
import { escapeMarkup } from "../../contract/escape-markup.js";

// Builds SVG markup that is safe from injection: all input is escaped.

/** Width and height of every logo, in user units. */
export const side = 512;
export const middle = side / 2;

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

// Fits names into logos, regardless of the viewer's fonts.

/**
 * Widths of groups of characters relative to the font size, in the widest of the bold fonts that viewers fall back on.
 * In other fonts the text is narrower.
 */
const widths: readonly [RegExp, number][] = [
  [/[iljI.,:;'|! ]/, 0.38],
  [/[ftr()[\]\-/]/, 0.5],
  [/[mwMW@%&]/, 1.1],
  [/[A-ZÀÁÂÃÄÅÈÉÊËÒÓÔÕÖÙÚÛÜẸỌṢ<>+=]/, 0.84],
  [/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/, 1.05],
  [/\p{M}/u, 0],
  // Unjoined letters are wider than joined ones.
  [/\u200c/, 0.9],
  [/\p{Extended_Pictographic}/u, 1.3],
];
const defaultWidth = 0.72;

export const textWidth = (text: string): number =>
  [...text].reduce(
    (sum, character) => sum + (widths.find(([group]) => group.test(character))?.[1] ?? defaultWidth),
    0,
  );

/** Created with the first logo, as it is slow to create. */
let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** Further characters are ignored. */
const maxNameCharacters = 1_000;

/** Collapses and trims white space. */
export const normaliseName = (name: string): string =>
  name
    .slice(0, maxNameCharacters)
    .normalize("NFC")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();

/** Longer names would be too small to read. */
const maxShownCharacters = 60;

/** Truncates a name to what a logo can show. */
export function truncateName(name: string): string {
  const letters = graphemes(normaliseName(name));
  return letters.length <= maxShownCharacters
    ? letters.join("")
    : `${letters.slice(0, maxShownCharacters - 1).join("")}…`;
}

/** Words that do not contribute an initial. */
const minorWords = new Set(["and", "of", "the", "for", "&", "+", "-"]);

/** Scripts whose letters join or run from right to left, which cannot be set letter by letter. */
const joiningScripts =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Mongolian}\p{Script=Hanifi_Rohingya}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}]/u;

export const isJoining = (text: string): boolean => joiningScripts.test(text);

/** Keeps adjacent letters from joining. */
const nonJoiner = "\u200c";

/** Returns one to three initials of the name. */
export function initials(name: string): string {
  const words = normaliseName(name).split(" ");
  const counted = words.filter((word) => !minorWords.has(word.toLowerCase()) && /[\p{L}\p{N}]/u.test(word));
  const chosen = (counted.length > 0 ? counted : words).slice(0, 3);
  const letters = chosen.map(
    (word) => graphemes(word.replace(/^[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/u, ""))[0] ?? "",
  );
  return letters.join(letters.some(isJoining) ? nonJoiner : "").toLocaleUpperCase("en");
}

/** Width, relative to the font size, up to which a text is one line, and two lines are readable. */
const [maxSingleWidth, maxDoubleWidth] = [7, 12];
const maxLines = 4;
/** A longer word is broken. */
const maxWordCharacters = 16;

/** Returns a short text as one line, and a longer one as two lines of similar width, or as up to four if those are too wide. */
export function breakLines(text: string): string[] {
  if (textWidth(text) < maxSingleWidth) return [text];
  const double = balance(text.split(" "), 2);
  const isReadable = double.every((row) => textWidth(row) <= maxDoubleWidth);
  return isReadable ? double : balance(text.split(" ").flatMap(breakWord), maxLines);
}

function breakWord(word: string): string[] {
  const letters = graphemes(word);
  const parts = isJoining(word) ? 1 : Math.ceil(letters.length / maxWordCharacters);
  const length = Math.ceil(letters.length / parts);
  return Array.from({ length: parts }, (_, at) => letters.slice(at * length, (at + 1) * length).join(""));
}

/** Returns the words in at most `count` lines, of which the widest is as narrow as possible. */
function balance(words: readonly string[], count: number): string[] {
  // The same lines recur in many combinations, and measuring one takes long.
  const widths = new Map<string, number>();
  const measure = (row: string): number => {
    const width = widths.get(row) ?? textWidth(row);
    widths.set(row, width);
    return width;
  };
  const widest = (rows: readonly string[]): number => Math.max(...rows.map(measure));
  const breakUp = (rest: readonly string[], left: number): string[] => {
    if (left === 1 || rest.length === 1) return [rest.join(" ")];
    const candidates = rest.map((_, at) => {
      const first = rest.slice(0, at + 1).join(" ");
      return at + 1 === rest.length ? [first] : [first, ...breakUp(rest.slice(at + 1), left - 1)];
    });
    return candidates.reduce((best, candidate) => (widest(candidate) < widest(best) ? candidate : best));
  };
  return breakUp(words, count);
}

/** Returns the largest font size, up to `maxSize`, at which the text fits into `width`. */
export const fittingSize = (text: string, width: number, maxSize: number): number =>
  Math.min(maxSize, width / Math.max(textWidth(text), 0.3));

export interface LogoLine {
  x: number;
  /** Baseline. */
  y: number;
  size: number;
  fill: string;
  /** Default 700. */
  weight?: number;
}

const family = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Noto Sans', sans-serif";

/** Draws a centred line. `initialFill` is the colour of the first letter. */
export function line(
  text: string,
  { x, y, size, fill, weight = 700 }: LogoLine,
  initialFill?: string,
): string {
  const [initial = "", ...others] = graphemes(text);
  const content =
    initialFill === undefined
      ? escapeMarkup(text)
      : element("tspan", { fill: initialFill }, escapeMarkup(initial)) + escapeMarkup(others.join(""));
  const type = { "font-family": family, "font-size": size, "font-weight": weight };
  return element("text", { x, y, ...type, fill, "text-anchor": "middle" }, content);
}

export interface Arc {
  cx: number;
  cy: number;
  /** Radius of the baseline. */
  radius: number;
  size: number;
  fill: string;
}

/** Returns the part of the circle that a text takes up. */
export const turnOf = (text: string, radius: number, size: number): number =>
  (textWidth(text) * size) / (2 * Math.PI * radius);

/** Draws text letter by letter around a circle, centred at the top, as not every viewer supports text on a path. */
export function around(text: string, { cx, cy, radius, size, fill }: Arc): string {
  let turn = -turnOf(text, radius, size) / 2;
  const letters = graphemes(text).map((letter) => {
    const own = turnOf(letter, radius, size);
    const angle = (turn + own / 2) * 360;
    turn += own;
    const type = {
      "font-family": family,
      "font-size": size,
      "font-weight": 700,
      fill,
      "text-anchor": "middle",
    };
    const place = {
      x: cx,
      y: cy - radius,
      transform: rotate(angle, cx, cy),
    };
    return letter === " " ? "" : element("text", { ...place, ...type }, escapeMarkup(letter));
  });
  return letters.join("");
}
