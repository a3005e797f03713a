/** Words in the order in which a line shows them. The order of letters within a word is the font's business. */
import { fromRightToLeft, rightToLeft } from "./letters.js";
import type { MeasuredInline } from "./pdfmake.js";

const leftToRight = /[\p{L}\p{N}]/u;

type Direction = "left" | "right" | null;

function directionOf({ text }: MeasuredInline): Direction {
  if (rightToLeft.test(text)) return "right";
  return leftToRight.test(text) ? "left" : null;
}

/** Reorders and places the inlines of a line that has right-to-left words, or stands in such a paragraph. */
export function reorder(inlines: MeasuredInline[], isRightToLeft: boolean): void {
  const directions = inlines.map(directionOf);
  if (!isRightToLeft && !directions.includes("right")) return;
  const base = isRightToLeft ? "right" : "left";
  const start = inlines[0]?.x ?? 0;
  const runs = runsOf(inlines, directions, base);
  let x = start;
  let at = 0;
  for (const run of isRightToLeft ? runs.reverse() : runs) {
    const shift = run.direction === base ? 0 : blankBehind(run);
    for (const inline of run.direction === "right" ? run.inlines.reverse() : run.inlines) {
      inline.x = x + shift;
      if (run.direction === "right" && !inline.tab && !inline.picture)
        inline.text = fromRightToLeft + inline.text;
      x += inline.width;
      inlines[at++] = inline;
    }
  }
}

/** The blank behind the last word of a run stands where the line goes on, which is the run's other end. */
function blankBehind({ direction, inlines }: Run): number {
  const blank = inlines.at(-1)?.trailingCut ?? 0;
  return direction === "left" ? blank : -blank;
}

interface Run {
  direction: Direction;
  inlines: MeasuredInline[];
}

/** What has no direction goes with its neighbours where both agree, with the paragraph otherwise. */
function runsOf(
  inlines: readonly MeasuredInline[],
  directions: readonly Direction[],
  base: Direction,
): Run[] {
  const runs: Run[] = [];
  for (const [at, inline] of inlines.entries()) {
    const before = runs.at(-1);
    const after = directions.slice(at).find((direction) => direction !== null) ?? base;
    const direction = directions[at] ?? (before?.direction === after ? after : base);
    if (before?.direction === direction) before.inlines.push(inline);
    else runs.push({ direction, inlines: [inline] });
  }
  return runs;
}
