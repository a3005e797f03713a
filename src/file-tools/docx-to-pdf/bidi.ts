/** Puts the words of a line into visual order. Letters within a word are ordered by the font. */
import { rightToLeftOverride, rightToLeftScripts } from "./glyph-text.js";
import type { MeasuredInline } from "./pdfmake.js";

const leftToRight = /[\p{L}\p{N}]/u;

type Direction = "left" | "right" | null;

function directionOf({ text }: MeasuredInline): Direction {
  if (rightToLeftScripts.test(text)) return "right";
  return leftToRight.test(text) ? "left" : null;
}

/** Reorders and positions the inlines of a line with right-to-left words, or in a right-to-left paragraph. */
export function toVisualOrder(inlines: MeasuredInline[], isRightToLeft: boolean): void {
  const directions = inlines.map(directionOf);
  if (!isRightToLeft && !directions.includes("right")) return;
  const base = isRightToLeft ? "right" : "left";
  const start = inlines[0]?.x ?? 0;
  const runs = splitByDirection(inlines, directions, base);
  let x = start;
  let at = 0;
  for (const run of isRightToLeft ? runs.reverse() : runs) {
    const shift = run.direction === base ? 0 : trailingSpaceShift(run);
    for (const inline of run.direction === "right" ? run.inlines.reverse() : run.inlines) {
      inline.x = x + shift;
      if (run.direction === "right" && !inline.tab && !inline.picture)
        inline.text = rightToLeftOverride + inline.text;
      x += inline.width;
      inlines[at++] = inline;
    }
  }
}

/** The space after the last word of a run moves to the run's other end, where the line continues. */
function trailingSpaceShift({ direction, inlines }: DirectionalRun): number {
  const blank = inlines.at(-1)?.trailingCut ?? 0;
  return direction === "left" ? blank : -blank;
}

interface DirectionalRun {
  direction: Direction;
  inlines: MeasuredInline[];
}

/** Splits a line into runs. Neutral inlines take the direction of both neighbours, or the paragraph's if those differ. */
function splitByDirection(
  inlines: readonly MeasuredInline[],
  directions: readonly Direction[],
  base: Direction,
): DirectionalRun[] {
  const runs: DirectionalRun[] = [];
  for (const [at, inline] of inlines.entries()) {
    const before = runs.at(-1);
    const after = directions.slice(at).find((direction) => direction !== null) ?? base;
    const direction = directions[at] ?? (before?.direction === after ? after : base);
    if (before?.direction === direction) before.inlines.push(inline);
    else runs.push({ direction, inlines: [inline] });
  }
  return runs;
}
