/** Margins that leave the text its width. Word's letters need a little more room than the PDF's, so the foot is kept low. */
import type { Margins } from "./docx-document.js";
import { around, type Column, type Page } from "./model.js";

const narrowest = 18;
const lowestFoot = 28;

/** Few short lines do not show how wide the text may be: as far from the right as from the left. */
export function widened(body: Column, width: number): Column {
  const isNarrow = body.right - body.left < 0.6 * (width - 2 * body.left);
  return isNarrow ? { left: body.left, right: width - Math.min(body.left, 0.25 * width) } : body;
}

export function marginsOf(pages: readonly Page[], body: Column | undefined): Margins {
  const [page] = pages;
  const { width, height } = page ?? { width: 595, height: 842 };
  const within = (value: number, least: number, share: number, whole: number): number =>
    Math.min(Math.max(value, least), share * whole);
  const contents = pages.flatMap(({ runs, pictures }) => [...runs, ...pictures]);
  const { top } = contents.length > 0 ? around(contents) : { top: narrowest };
  if (!body) return { left: narrowest, right: narrowest, top: narrowest, bottom: narrowest };
  return {
    left: within(body.left, narrowest, 0.4, width),
    right: within(width - body.right, narrowest, 0.4, width),
    top: within(top, narrowest, 0.2, height),
    bottom: lowestFoot,
  };
}
