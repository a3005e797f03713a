/** Names as text that fits, whatever font a viewer has. */
import { element, escaped, rotate } from "./svg.js";

/**
 * Widths in parts of the font size, for groups of characters, as in the widest of the bold fonts that viewers fall back
 * on: in any other the text is narrower and fits all the same.
 */
const widths: readonly [RegExp, number][] = [
  [/[iljI.,:;'|! ]/, 0.38],
  [/[ftr()[\]\-/]/, 0.5],
  [/[mwMW@%&]/, 1.1],
  [/[A-ZÀÁÂÃÄÅÈÉÊËÒÓÔÕÖÙÚÛÜẸỌṢ<>+=]/, 0.84],
  [/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/, 1.05],
  [/\p{M}/u, 0],
  // Letters that stand apart are wider than where they join.
  [/\u200c/, 0.9],
  [/\p{Extended_Pictographic}/u, 1.3],
];
const usual = 0.72;

const widthOf = (text: string): number =>
  [...text].reduce(
    (sum, character) => sum + (widths.find(([group]) => group.test(character))?.[1] ?? usual),
    0,
  );

/** Made with the first logo: it takes longer than all else that a start has to do for the tools. */
let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** Characters that are looked at; what comes after them no logo shows. */
const mostRead = 1_000;

/** Spaces as one, at the ends none. */
export const tidy = (name: string): string =>
  name
    .slice(0, mostRead)
    .normalize("NFC")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();

/** More would be too small to read. */
const longestName = 60;

/** As much of a name as a logo can show. */
export function shown(name: string): string {
  const letters = graphemes(tidy(name));
  return letters.length <= longestName ? letters.join("") : `${letters.slice(0, longestName - 1).join("")}…`;
}

const small = new Set(["and", "of", "the", "for", "&", "+", "-"]);

/** Scripts whose letters join, or run from the right: letter by letter they cannot be read. */
const joined =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Mongolian}\p{Script=Hanifi_Rohingya}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}]/u;

export const joins = (text: string): boolean => joined.test(text);

/** Between letters that are not to join. */
const nonJoiner = "\u200c";

/** One to three letters that stand for the name. */
export function initials(name: string): string {
  const words = tidy(name).split(" ");
  const counted = words.filter((word) => !small.has(word.toLowerCase()) && /[\p{L}\p{N}]/u.test(word));
  const chosen = (counted.length > 0 ? counted : words).slice(0, 3);
  const letters = chosen.map(
    (word) => graphemes(word.replace(/^[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/u, ""))[0] ?? "",
  );
  return letters.join(letters.some(joins) ? nonJoiner : "").toLocaleUpperCase("en");
}

/** In one line where it is short, else in two of about the same width. */
export function lines(text: string): string[] {
  const words = text.split(" ");
  if (words.length < 2 || widthOf(text) < 7) return [text];
  const breaks = words.slice(1).map((_, index) => [words.slice(0, index + 1), words.slice(index + 1)]);
  const pairs = breaks.map((pair) => pair.map((part) => part.join(" ")));
  const widest = (pair: readonly string[]) => Math.max(...pair.map(widthOf));
  return pairs.reduce((best, pair) => (widest(pair) < widest(best) ? pair : best));
}

/** The largest font size, up to `most`, at which the text is not wider than `width`. */
export const fittingSize = (text: string, width: number, most: number): number =>
  Math.min(most, width / Math.max(widthOf(text), 0.3));

export interface Line {
  x: number;
  /** Of the baseline. */
  y: number;
  size: number;
  fill: string;
  /** Default 700. */
  weight?: number;
}

const family = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Noto Sans', sans-serif";

/** Middle-aligned; the first letter may have a colour of its own. */
export function line(text: string, { x, y, size, fill, weight = 700 }: Line, first?: string): string {
  const [initial = "", ...others] = graphemes(text);
  const content =
    first === undefined
      ? escaped(text)
      : element("tspan", { fill: first }, escaped(initial)) + escaped(others.join(""));
  const type = { "font-family": family, "font-size": size, "font-weight": weight };
  return element("text", { x, y, ...type, fill, "text-anchor": "middle" }, content);
}

export interface Arc {
  cx: number;
  cy: number;
  /** Of the circle on which the letters stand. */
  radius: number;
  size: number;
  fill: string;
}

/** Part of a whole turn that a text takes. */
export const turnOf = (text: string, radius: number, size: number): number =>
  (widthOf(text) * size) / (2 * Math.PI * radius);

/** Letter by letter around a circle, its middle at the top: not every viewer can set text along a path. */
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
    return letter === " " ? "" : element("text", { ...place, ...type }, escaped(letter));
  });
  return letters.join("");
}

export { widthOf };
