/** Finds text drawn in the invisible rendering mode, such as the recognised text over a scan. */

/** Consecutive glyphs of equal visibility. `end` is the number of glyphs on the page up to its end. */
export interface VisibilitySpan {
  end: number;
  invisible: boolean;
}

/** Counts glyphs without white space and control characters, which pdf.js may add or drop, in decomposed form. */
export const countGlyphs = (text: string): number =>
  text.normalize("NFKD").replace(/[\s\p{Cc}\p{Cf}]/gu, "").length;

/** Returns whether each text is invisible, by matching the texts with the drawn glyphs in order. */
export function findInvisible(texts: readonly string[], spans: readonly VisibilitySpan[]): boolean[] {
  const counts = texts.map(countGlyphs);
  const drawn = spans.at(-1)?.end ?? 0;
  // If pdf.js has dropped glyphs, all text counts as most of it does.
  if (counts.reduce((sum, count) => sum + count, 0) !== drawn) {
    const isMostlyInvisible = countInvisible(spans) > drawn / 2;
    return texts.map(() => isMostlyInvisible);
  }
  let [index, position] = [0, 0];
  return counts.map((count) => {
    while ((spans[index]?.end ?? Infinity) <= position + count / 2) index++;
    position += count;
    return spans[index]?.invisible ?? false;
  });
}

const countInvisible = (spans: readonly VisibilitySpan[]): number =>
  spans.reduce(
    (sum, { end, invisible }, index) => sum + (invisible ? end - (spans[index - 1]?.end ?? 0) : 0),
    0,
  );
