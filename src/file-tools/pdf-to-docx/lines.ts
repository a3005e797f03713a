/** Joins text runs into lines, and lines into styled spans. */
import { type Box, boundingBox, type Line, overlap, type Span, type TextRun } from "./page-model.js";

/** Range of the width of a space, as ratios of the font size. Wider gaps separate columns, and narrower ones letters. */
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
function hasSpaceBetween(before: TextRun, run: TextRun): boolean {
  const gap = Math.max(run.left - before.right, before.left - run.right);
  if (run.hasSpaceBefore) return true;
  return (
    gap > minSpaceRatio * Math.min(run.size, before.size) &&
    !(isUnspacedScript(before.text.slice(-1)) && isUnspacedScript(run.text))
  );
}

/** Returns whether the text starts in a script that is written without spaces between words. */
const isUnspacedScript = (text: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u.test(
    text,
  );

/** All words of the document in lower case, which show whether a hyphen at a line end is part of a word. */
export type Vocabulary = ReadonlySet<string>;

export const findWords = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-‐][\p{L}\p{N}]+)*/gu) ?? [];

export function toSpans(lines: readonly Line[], words: Vocabulary): Span[] {
  const spans: Span[] = [];
  for (const line of lines)
    for (const [at, run] of line.runs.entries()) {
      const before = line.runs[at - 1];
      const last = spans.at(-1);
      const isSpaced = before ? hasSpaceBetween(before, run) : last && joinAtLineEnd(last, run, words);
      appendSpan(spans, createSpan(run, line), isSpaced ? " " : "");
    }
  for (const span of spans) span.text = span.text.replace(cjkSpaces, "");
  return spans;
}

/** Matches spaces between CJK characters, which only justify a line. */
const cjkSpaces =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]) +(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu;

/** Maximum number of letters of a superscript or subscript. */
const maxRaisedLetters = 12;

function createSpan(run: TextRun, line: Line): Span {
  const isSmall =
    run.size < 0.85 * line.size && run.text.length <= maxRaisedLetters && !run.text.startsWith("\t");
  const rise = line.baseline - run.baseline;
  const raised = !isSmall
    ? null
    : rise > 0.12 * line.size
      ? "super"
      : rise < -0.05 * line.size
        ? "sub"
        : null;
  return {
    text: run.text,
    face: run.face,
    size: raised ? line.size : run.size,
    raised,
    rightToLeft: run.rightToLeft,
    link: run.link,
  };
}

/** Appends a span, merging equal styles. A space between two spans goes to the one with less emphasis. */
function appendSpan(spans: Span[], span: Span, space: string): void {
  const last = spans.at(-1);
  const own = last && /\s$/.test(last.text) ? "" : space;
  if (last && hasSameStyle(last, span)) last.text += own + span.text;
  else if (last && emphasis(last) <= emphasis(span)) {
    last.text += own;
    spans.push(span);
  } else spans.push({ ...span, text: own + span.text });
}

const emphasis = ({ link, face, raised }: Span): number =>
  4 * Number(link !== null) + Number(face.bold) + Number(face.italic) + Number(raised !== null);

const hasSameStyle = (a: Span, b: Span): boolean =>
  a.face.family === b.face.family &&
  a.face.bold === b.face.bold &&
  a.face.italic === b.face.italic &&
  Math.abs(a.size - b.size) < 0.3 &&
  a.raised === b.raised &&
  a.rightToLeft === b.rightToLeft &&
  a.link === b.link;

/** Removes the hyphen of a broken word at a line end. Returns whether a space separates the two lines. */
function joinAtLineEnd(last: Span, next: TextRun, words: Vocabulary): boolean {
  const [, start, hyphen] = /([\p{L}\p{N}]+(?:[-‐][\p{L}\p{N}]+)*)([-‐\u00ad])$/u.exec(last.text) ?? [];
  const end = /^[\p{L}\p{N}]+/u.exec(next.text)?.[0];
  if (!start || !hyphen) return !(isUnspacedScript(last.text.slice(-1)) && isUnspacedScript(next.text));
  if (end && isHyphenated(start, hyphen, end, words)) last.text = last.text.slice(0, -1);
  return !end;
}

/** Returns whether a hyphen only breaks the word, rather than being part of it elsewhere in the document. */
function isHyphenated(start: string, hyphen: string, end: string, words: Vocabulary): boolean {
  if (hyphen === "\u00ad") return true;
  if (!/^\p{Ll}/u.test(end) || !/\p{L}$/u.test(start)) return false;
  if (words.has(`${start}${end}`.toLowerCase())) return true;
  return !words.has(`${start}-${end}`.toLowerCase()) && !start.includes("-") && start.length > 1;
}
