/** Runs become lines: what stands on one baseline without a wide gap or a rule between. */
import { around, type Box, type Line, overlap, type Run } from "./model.js";

/** Of the size of the letters: wider gaps part columns, narrower ones are spaces. */
const widestSpace = 0.65;
const narrowestSpace = 0.2;

/** Rows from top to bottom, each of its lines from left to right. */
export function rowsOf(runs: readonly Run[], rules: readonly Box[]): Line[][] {
  const rows: Run[][] = [];
  for (const run of [...runs].sort((a, b) => a.baseline - b.baseline || a.left - b.left)) {
    const row = rows.findLast((other, index) => index >= rows.length - 4 && isBeside(other, run));
    if (row) row.push(run);
    else rows.push([run]);
  }
  return withRaised(rows).map((row) => split(row, rules));
}

/** Raised letters come before the line that they belong to, whose first letters may be far from them. */
function withRaised(rows: readonly Run[][]): Run[][] {
  const out: Run[][] = [];
  for (const row of rows) {
    const last = out.at(-1);
    const isRaised = (run: Run): boolean =>
      row.some((other) => run.size < 0.85 * other.size && touches(run, other) && isBeside([other], run));
    if (last?.every(isRaised)) out[out.length - 1] = [...last, ...row];
    else out.push(row);
  }
  return out;
}

const touches = (run: Run, other: Run): boolean =>
  overlap(run.left, run.right, other.left, other.right) > -0.3 * run.size;

/** Raised and lowered letters stand in the row of those that they are near to, the largest of which say where it is. */
function isBeside(row: readonly Run[], run: Run): boolean {
  const near = row.filter((other) => overlap(other.left, other.right, run.left, run.right) > -1.5 * run.size);
  const main = (near.length > 0 ? near : row).reduce((a, b) => (b.size > a.size ? b : a));
  const height = Math.min(main.size, run.size);
  if (overlap(main.top, main.bottom, run.top, run.bottom) <= 0.6 * height) return false;
  const isLevel = Math.abs(main.baseline - run.baseline) < 0.2 * height;
  return (isLevel || near.length > 0) && !row.some((other) => isUpon(other, run));
}

/** Letters of much the same size do not stand upon each other in one line. */
const isUpon = (other: Run, run: Run): boolean =>
  overlap(other.left, other.right, run.left, run.right) > 0.5 * Math.min(other.size, run.size) &&
  Math.abs(other.baseline - run.baseline) > 0.25 * run.size;

function split(row: Run[], rules: readonly Box[]): Line[] {
  const groups: Run[][] = [];
  let right = 0;
  for (const run of row.sort((a, b) => a.left - b.left)) {
    const last = groups.at(-1);
    const previous = last?.at(-1);
    const gap = run.left - right;
    const isParted =
      previous && (gap > widestSpace * Math.min(run.size, previous.size) || parts(rules, previous, run));
    if (last && !isParted) last.push(run);
    else groups.push([run]);
    right = groups.at(-1)?.length === 1 ? run.right : Math.max(right, run.right);
  }
  return groups.map(lineOf);
}

const parts = (rules: readonly Box[], left: Run, right: Run): boolean =>
  rules.some(
    (rule) =>
      rule.left >= left.right - 1 &&
      rule.right <= right.left + 1 &&
      rule.top < left.baseline &&
      rule.bottom > left.top,
  );

/** From left to right, of the size that most letters have, or, where most letters say so, from right to left. */
export function lineOf(runs: readonly Run[]): Line {
  const letters = (some: readonly Run[]): number => some.reduce((sum, { text }) => sum + text.length, 0);
  const alike = (run: Run): number => letters(runs.filter(({ size }) => size === run.size));
  const main = runs.reduce((a, b) => ((alike(b) - alike(a) || b.size - a.size) > 0 ? b : a));
  const rightToLeft = letters(runs.filter((run) => run.rightToLeft)) * 2 > letters(runs);
  return {
    ...around(runs),
    runs: rightToLeft ? readBackwards(runs) : [...runs],
    baseline: main.baseline,
    size: main.size,
    order: Math.min(...runs.map(({ order }) => order)),
    rightToLeft,
  };
}

/** Numbers and foreign words keep their own direction. */
function readBackwards(runs: readonly Run[]): Run[] {
  const out: Run[] = [];
  let foreign: Run[] = [];
  for (const run of [...runs].reverse()) {
    if (run.rightToLeft) out.push(...foreign.splice(0), run);
    else foreign = [run, ...foreign];
  }
  return [...out, ...foreign];
}

/** Whether white space stands between two neighbours of a line. */
export function isApart(before: Run, run: Run): boolean {
  const gap = Math.max(run.left - before.right, before.left - run.right);
  if (run.spaced) return true;
  return (
    gap > narrowestSpace * Math.min(run.size, before.size) &&
    !(isDense(before.text.slice(-1)) && isDense(run.text))
  );
}

/** Scripts that put no space between words. */
export const isDense = (text: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u.test(
    text,
  );
