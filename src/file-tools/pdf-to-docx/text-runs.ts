/** Converts pdf.js's text items to runs with position, size and font. */
import { faceLookup } from "./font-faces.js";
import { findInvisible, type VisibilitySpan } from "./invisible-text.js";
import { type Matrix, multiply } from "./matrix.js";
import type { PdfPage } from "./open-pdf.js";
import type { TextRun } from "./page-model.js";

type TextContent = Awaited<ReturnType<PdfPage["getTextContent"]>>;
type TextItem = Extract<TextContent["items"][number], { str: string }>;

/** Height above and below the baseline, as ratios of the font size. */
const ascentRatio = 0.8;
const descentRatio = 0.2;
const maxRuns = 50_000;

/** Runs that are upright in the viewport, and rotated ones. */
export interface PageText {
  upright: TextRun[];
  turned: TextRun[];
}

export const readTextContent = (page: PdfPage): Promise<TextContent> => page.getTextContent();

/** Returns the rotation of most of the page's text in degrees: 0, 90, 180 or 270. */
export function textRotation({ items }: TextContent, viewport: Matrix): number {
  const letters = [0, 0, 0, 0];
  for (const item of items)
    if ("str" in item) {
      const quarter = quarterTurns(multiply(viewport, item.transform as unknown as Matrix));
      letters[quarter] = (letters[quarter] ?? 0) + item.str.length;
    }
  return letters.indexOf(Math.max(...letters)) * 90;
}

/** Returns clockwise quarter turns from upright, in a viewport whose y axis points down. */
const quarterTurns = ([a, b]: Matrix): number => (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;

export function toRuns(
  page: PdfPage,
  { items, styles }: TextContent,
  viewport: Matrix,
  letters: readonly VisibilitySpan[],
): PageText {
  const faceOf = faceLookup(page);
  const text: PageText = { upright: [], turned: [] };
  const scale = Math.hypot(viewport[0], viewport[1]);
  const invisible = findInvisible(
    items.map((item) => ("str" in item ? item.str : "")),
    letters,
  );
  let spaced = false;
  for (const [order, item] of items.slice(0, maxRuns).entries()) {
    if (!("str" in item)) continue;
    const written = cleanText(item.str);
    if (written.trim() !== "") {
      const matrix = multiply(viewport, item.transform as unknown as Matrix);
      const face = faceOf(item.fontName, styles[item.fontName]?.fontFamily ?? "");
      const place = runBox(item, matrix, scale);
      // Damaged fonts may have invalid metrics.
      if (!Object.values(place).every(Number.isFinite)) continue;
      const run: TextRun = {
        ...place,
        text: written.trim(),
        face: withSlant(face, matrix),
        order,
        hasSpaceBefore: spaced || /^\s/.test(written),
        rightToLeft: item.dir === "rtl",
        invisible: invisible[order] ?? false,
        link: null,
      };
      text[quarterTurns(matrix) === 0 && item.dir !== "ttb" ? "upright" : "turned"].push(run);
    }
    if (item.str !== "") spaced = /\s$/.test(written);
    if (item.hasEOL) spaced = false;
  }
  return text;
}

/** Returns the box of a run. Rotated text gets the width of its length. */
function runBox(
  item: TextItem,
  matrix: Matrix,
  scale: number,
): Pick<TextRun, "left" | "top" | "right" | "bottom" | "baseline" | "size"> {
  const [a, b, c, d, x, y] = matrix;
  const size = Math.hypot(c, d) || Math.hypot(a, b) || 1;
  const length = scale * (item.dir === "ttb" ? item.height : item.width);
  const box = {
    left: x,
    right: x + Math.max(length, 0.1),
    top: y - ascentRatio * size,
    bottom: y + descentRatio * size,
  };
  return { ...box, baseline: y, size: Math.round(size * 10) / 10 };
}

/** Marks text as italic if its matrix slants it. */
const withSlant = (face: TextRun["face"], [a, b, c, d]: Matrix): TextRun["face"] => {
  const isSlanted = Math.abs(b) < 0.01 * Math.abs(a) && Math.abs(c) > 0.15 * Math.abs(d);
  return isSlanted && !face.italic ? { ...face, italic: true } : face;
};

/** Bullets in the private code points of symbol fonts. */
const symbolBullets: Readonly<Record<string, string>> = {
  "\uf0b7": "•",
  "\uf0a7": "▪",
  "\uf0d8": "➢",
  "\uf0fc": "✓",
  "\uf06f": "○",
};

/** Replaces symbol bullets and removes characters that XML does not allow. */
const cleanText = (text: string): string =>
  text
    .replace(/[\uf0b7\uf0a7\uf0d8\uf0fc\uf06f]/g, (symbol) => symbolBullets[symbol] ?? symbol)
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu, "");
