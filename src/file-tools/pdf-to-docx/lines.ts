/** Joins text runs into lines: runs on one baseline without a wide gap or a vertical rule between them. */
import { type Box, boundingBox, type Line, overlap, type TextRun } from "./page-model.js";

/** Width of a space, as ratios of the font size. Wider gaps separate columns, narrower ones letters. */
const maxSpaceRatio = 0.65;
const minSpaceRatio = 0.2;

/** Returns rows from top to bottom, each with its lines from left to right. */
export function groupIntoRows(runs: readonly TextRun[], rules: readonly Box[]): Line[][] {
  const rows: TextRun[][] = [];
  for (const run of [...runs].sort((a, b) => a.baseline - b.baseline || a.left - b.left)) {
    const row = rows.findLast((other, index) => index >= rows.length - 4 && isInRow(other, run));
    if (row) row.push(run);
    else rows.push([run]);
  }
  return joinRaised(rows).map((row) => splitIntoLines(row, rules));
}

/** Joins rows of superscripts with the row below, whose first letters may be far away. */
function joinRaised(rows: readonly TextRun[][]): TextRun[][] {
  const out: TextRun[][] = [];
  for (const row of rows) {
    const last = out.at(-1);
    const isRaised = (run: TextRun): boolean =>
      row.some((other) => run.size < 0.85 * other.size && touches(run, other) && isInRow([other], run));
    if (last?.every(isRaised)) out[out.length - 1] = [...last, ...row];
    else out.push(row);
  }
  return out;
}

const touches = (run: TextRun, other: TextRun): boolean =>
  overlap(run.left, run.right, other.left, other.right) > -0.3 * run.size;

/** Returns whether a run belongs to a row. Superscripts and subscripts are compared with the largest letters near them. */
function isInRow(row: readonly TextRun[], run: TextRun): boolean {
  const near = row.filter((other) => overlap(other.left, other.right, run.left, run.right) > -1.5 * run.size);
  const main = (near.length > 0 ? near : row).reduce((a, b) => (b.size > a.size ? b : a));
  const height = Math.min(main.size, run.size);
  if (overlap(main.top, main.bottom, run.top, run.bottom) <= 0.6 * height) return false;
  const isLevel = Math.abs(main.baseline - run.baseline) < 0.2 * height;
  return (isLevel || near.length > 0) && !row.some((other) => isStacked(other, run));
}

/** Returns whether two runs are on top of each other rather than in one line. */
const isStacked = (other: TextRun, run: TextRun): boolean =>
  overlap(other.left, other.right, run.left, run.right) > 0.5 * Math.min(other.size, run.size) &&
  Math.abs(other.baseline - run.baseline) > 0.25 * run.size;

function splitIntoLines(row: TextRun[], rules: readonly Box[]): Line[] {
  const groups: TextRun[][] = [];
  let right = 0;
  for (const run of row.sort((a, b) => a.left - b.left)) {
    const last = groups.at(-1);
    const previous = last?.at(-1);
    const gap = run.left - right;
    const isSeparate =
      previous &&
      (gap > maxSpaceRatio * Math.min(run.size, previous.size) || hasRuleBetween(rules, previous, run));
    if (last && !isSeparate) last.push(run);
    else groups.push([run]);
    right = groups.at(-1)?.length === 1 ? run.right : Math.max(right, run.right);
  }
  return groups.map(createLine);
}

const hasRuleBetween = (rules: readonly Box[], left: TextRun, right: TextRun): boolean =>
  rules.some(
    (rule) =>
      rule.left >= left.right - 1 &&
      rule.right <= right.left + 1 &&
      rule.top < left.baseline &&
      rule.bottom > left.top,
  );

/** Creates a line with the size and direction of most letters. */
export function createLine(runs: readonly TextRun[]): Line {
  const letters = (some: readonly TextRun[]): number => some.reduce((sum, { text }) => sum + text.length, 0);
  const ofSize = ({ size }: TextRun): number => letters(runs.filter((run) => run.size === size));
  const main = runs.reduce((a, b) => ((ofSize(b) - ofSize(a) || b.size - a.size) > 0 ? b : a));
  const rightToLeft = letters(runs.filter((run) => run.rightToLeft)) * 2 > letters(runs);
  return {
    ...boundingBox(runs),
    runs: rightToLeft ? toLogicalOrder(runs) : [...runs],
    baseline: main.baseline,
    size: main.size,
    order: Math.min(...runs.map(({ order }) => order)),
    rightToLeft,
  };
}

/** Reverses the runs, except for sequences of numbers and left-to-right words. */
function toLogicalOrder(runs: readonly TextRun[]): TextRun[] {
  const out: TextRun[] = [];
  let leftToRight: TextRun[] = [];
  for (const run of [...runs].reverse()) {
    if (run.rightToLeft) out.push(...leftToRight.splice(0), run);
    else leftToRight = [run, ...leftToRight];
  }
  return [...out, ...leftToRight];
}

/** Returns whether there is white space between two adjacent runs of a line. */
export function hasSpaceBetween(before: TextRun, run: TextRun): boolean {
  const gap = Math.max(run.left - before.right, before.left - run.right);
  if (run.hasSpaceBefore) return true;
  return (
    gap > minSpaceRatio * Math.min(run.size, before.size) &&
    !(isUnspacedScript(before.text.slice(-1)) && isUnspacedScript(run.text))
  );
}

/** Returns whether the text starts in a script that is written without spaces between words. */
export const isUnspacedScript = (text: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u.test(
    text,
  );
