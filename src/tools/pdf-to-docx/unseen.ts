/** Words that are drawn without being seen, as recognised text lies over a scan. */

/** Letters drawn one after the other in one way, up to the so many-th of the page. */
export interface Stretch {
  end: number;
  invisible: boolean;
}

/** White space and marks that pdf.js may add or leave out do not count, nor does how letters are composed. */
export const lettersIn = (text: string): number =>
  text.normalize("NFKD").replace(/[\s\p{Cc}\p{Cf}]/gu, "").length;

/** Whether each text is invisible: pdf.js says it of what is drawn alone, in the same order. */
export function areInvisible(texts: readonly string[], stretches: readonly Stretch[]): boolean[] {
  const counts = texts.map(lettersIn);
  const drawn = stretches.at(-1)?.end ?? 0;
  // Where pdf.js leaves letters out, all of the page's text counts as what most of it is.
  if (counts.reduce((sum, count) => sum + count, 0) !== drawn) {
    const isMostly = invisibleOf(stretches) > drawn / 2;
    return texts.map(() => isMostly);
  }
  let [at, place] = [0, 0];
  return counts.map((count) => {
    while ((stretches[at]?.end ?? Infinity) <= place + count / 2) at++;
    place += count;
    return stretches[at]?.invisible ?? false;
  });
}

const invisibleOf = (stretches: readonly Stretch[]): number =>
  stretches.reduce(
    (sum, { end, invisible }, index) => sum + (invisible ? end - (stretches[index - 1]?.end ?? 0) : 0),
    0,
  );
