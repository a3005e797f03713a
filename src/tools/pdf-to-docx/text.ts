/** A page's text as runs: where each piece stands, its size and its look. */

import { facesOf } from "./faces.js";
import { type Matrix, times } from "./geometry.js";
import type { Run } from "./model.js";
import type { PdfPage } from "./open.js";
import { areInvisible, type Stretch } from "./unseen.js";

type Content = Awaited<ReturnType<PdfPage["getTextContent"]>>;
type Item = Extract<Content["items"][number], { str: string }>;

/** Of the size, above and below the baseline. */
const ascent = 0.8;
const descent = 0.2;
const mostRuns = 50_000;

/** Runs that stand upright in the viewport, and those that do not. */
export interface Text {
  upright: Run[];
  turned: Run[];
}

export const contentOf = (page: PdfPage): Promise<Content> => page.getTextContent();

/** By how many degrees most of the page's text is turned: 0, 90, 180 or 270. */
export function turnOf({ items }: Content, viewport: Matrix): number {
  const letters = [0, 0, 0, 0];
  for (const item of items)
    if ("str" in item) {
      const quarter = quarterOf(times(viewport, item.transform as unknown as Matrix));
      letters[quarter] = (letters[quarter] ?? 0) + item.str.length;
    }
  return letters.indexOf(Math.max(...letters)) * 90;
}

/** Clockwise from upright, in a viewport whose y grows downwards. */
const quarterOf = ([a, b]: Matrix): number => (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;

export function runsOf(
  page: PdfPage,
  { items, styles }: Content,
  viewport: Matrix,
  letters: readonly Stretch[],
): Text {
  const faceOf = facesOf(page);
  const text: Text = { upright: [], turned: [] };
  const scale = Math.hypot(viewport[0], viewport[1]);
  const invisible = areInvisible(
    items.map((item) => ("str" in item ? item.str : "")),
    letters,
  );
  let spaced = false;
  for (const [order, item] of items.slice(0, mostRuns).entries()) {
    if (!("str" in item)) continue;
    const written = clean(item.str);
    if (written.trim() !== "") {
      const matrix = times(viewport, item.transform as unknown as Matrix);
      const face = faceOf(item.fontName, styles[item.fontName]?.fontFamily ?? "");
      const place = standing(item, matrix, scale);
      // Damaged fonts say anything of their letters.
      if (!Object.values(place).every(Number.isFinite)) continue;
      const run: Run = {
        ...place,
        text: written.trim(),
        face: leaning(face, matrix),
        order,
        spaced: spaced || /^\s/.test(written),
        rightToLeft: item.dir === "rtl",
        invisible: invisible[order] ?? false,
        link: null,
      };
      text[quarterOf(matrix) === 0 && item.dir !== "ttb" ? "upright" : "turned"].push(run);
    }
    if (item.str !== "") spaced = /\s$/.test(written);
    if (item.hasEOL) spaced = false;
  }
  return text;
}

/** Where it stands; turned text takes the room of its length, sideways. */
function standing(
  item: Item,
  matrix: Matrix,
  scale: number,
): Pick<Run, "left" | "top" | "right" | "bottom" | "baseline" | "size"> {
  const [a, b, c, d, x, y] = matrix;
  const size = Math.hypot(c, d) || Math.hypot(a, b) || 1;
  const length = scale * (item.dir === "ttb" ? item.height : item.width);
  const box = {
    left: x,
    right: x + Math.max(length, 0.1),
    top: y - ascent * size,
    bottom: y + descent * size,
  };
  return { ...box, baseline: y, size: Math.round(size * 10) / 10 };
}

/** Fonts without an italic are slanted by their matrix. */
const leaning = (face: Run["face"], [a, b, c, d]: Matrix): Run["face"] => {
  const isSlanted = Math.abs(b) < 0.01 * Math.abs(a) && Math.abs(c) > 0.15 * Math.abs(d);
  return isSlanted && !face.italic ? { ...face, italic: true } : face;
};

/** Bullets of the symbol fonts, whose letters have no meaning of their own. */
const symbols: Readonly<Record<string, string>> = {
  "\uf0b7": "•",
  "\uf0a7": "▪",
  "\uf0d8": "➢",
  "\uf0fc": "✓",
  "\uf06f": "○",
};

/** Without what XML cannot hold. */
const clean = (text: string): string =>
  text
    .replace(/[\uf0b7\uf0a7\uf0d8\uf0fc\uf06f]/g, (symbol) => symbols[symbol] ?? symbol)
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu, "");
