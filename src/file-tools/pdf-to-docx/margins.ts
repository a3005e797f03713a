/** Chooses margins that keep the width of the text, with a small bottom margin, since Word needs slightly more room. */
import type { Margins } from "./docx-document.js";
import { boundingBox, type Column, type PageContent } from "./page-model.js";

/** Points. */
const minMargin = 18;
const bottomMargin = 28;

/** Widens the column of a page with only short lines to equal margins, since they do not show how wide text may be. */
export function widenColumn(body: Column, width: number): Column {
  const isNarrow = body.right - body.left < 0.6 * (width - 2 * body.left);
  return isNarrow ? { left: body.left, right: width - Math.min(body.left, 0.25 * width) } : body;
}

export function findMargins(pages: readonly PageContent[], body: Column | undefined): Margins {
  const [page] = pages;
  const { width, height } = page ?? { width: 595, height: 842 };
  const within = (value: number, least: number, share: number, whole: number): number =>
    Math.min(Math.max(value, least), share * whole);
  const contents = pages.flatMap(({ runs, pictures }) => [...runs, ...pictures]);
  const { top } = contents.length > 0 ? boundingBox(contents) : { top: minMargin };
  if (!body) return { left: minMargin, right: minMargin, top: minMargin, bottom: minMargin };
  return {
    left: within(body.left, minMargin, 0.4, width),
    right: within(width - body.right, minMargin, 0.4, width),
    top: within(top, minMargin, 0.2, height),
    bottom: bottomMargin,
  };
}
