/** The page that ends a document of which not all pages could be converted in time. */
import type { PageContent, TextRun } from "./page-model.js";

const size = 11;
const margin = 72;
const leading = 1.4 * size;
/** Mean width of a letter, as a ratio of the font size. */
const letterWidthRatio = 0.5;

/** Returns a page of the given size that names the pages that are missing. */
export function leftOutPage(
  { width, height }: Pick<PageContent, "width" | "height">,
  first: number,
  last: number,
): PageContent {
  const which = first === last ? `Page ${first} is` : `Pages ${first} to ${last} are`;
  const lines = [
    `${which} left out, because the conversion takes too long.`,
    "Send the PDF in parts to convert all of its pages.",
  ];
  return {
    ...{ width, height, hiddenRuns: [], pictures: [] },
    runs: lines.map(runOf),
    lineArt: { horizontal: [], vertical: [], dots: [] },
  };
}

function runOf(text: string, order: number): TextRun {
  const baseline = margin + order * leading;
  return {
    text,
    left: margin,
    right: margin + text.length * size * letterWidthRatio,
    top: baseline - 0.8 * size,
    bottom: baseline + 0.2 * size,
    ...{ baseline, size, order, face: { family: "Arial", weight: 400, italic: false } },
    ...{ rightToLeft: false, hasSpaceBefore: false, invisible: false, link: null },
  };
}
