/** Groups the lines of a column into paragraphs, by spacing, indentation, font size and lines that end early. */
import { median } from "../median.js";
import type { TextRow } from "./bands.js";
import { createLine, toSpans, type Vocabulary } from "./lines.js";
import { parseMarker } from "./lists.js";
import { type Block, boundingBox, type Column, type Line, type Paragraph, widthOf } from "./page-model.js";

export function toParagraphs(rows: readonly TextRow[], column: Column, words: Vocabulary): Block[] {
  const blocks: Block[] = [];
  let open: Line[] = [];
  const lines = rows.flatMap(({ items }) => items.flatMap(({ line }) => line ?? []));
  const leading = usualLeading(lines);
  const close = () => {
    if (open.length > 0) blocks.push(createParagraph(open, column, words));
    open = [];
  };
  for (const { items } of rows) {
    const texts = items.flatMap(({ line }) => line ?? []);
    const line = texts.length > 0 ? joinWithTabs(texts) : null;
    if (line && open.length > 0 && startsParagraph(open, line, column, leading)) close();
    if (line) open.push(line);
    const finished = items.flatMap(({ block }) => block ?? []);
    if (finished.length > 0) close();
    blocks.push(...finished);
  }
  close();
  return blocks;
}

/** Minimum width of a tab, as a ratio of the font size. Spaces of justified lines are narrower. */
const minTabRatio = 3;

/** Joins the lines of a row that is not part of a table, with a tab in each wide gap. */
function joinWithTabs(lines: readonly Line[]): Line {
  const [first, ...others] = lines;
  if (!first || others.length === 0) return first as Line;
  const runs = lines.flatMap((line, index) =>
    line.runs.map((run, at) => {
      const before = lines[index - 1];
      const isWide = at === 0 && before && run.left - before.right > minTabRatio * run.size;
      return isWide
        ? { ...run, text: `\t${run.text}` }
        : { ...run, hasSpaceBefore: run.hasSpaceBefore || at === 0 };
    }),
  );
  return createLine(runs);
}

/** Returns the median distance between baselines of consecutive lines, as a ratio of the font size. */
function usualLeading(lines: readonly Line[]): number {
  const steps = lines.slice(1).flatMap((line, index) => {
    const before = lines[index] as Line;
    const step = line.baseline - before.baseline;
    return step > 0.5 * line.size && step < 2.2 * line.size && Math.abs(line.size - before.size) < 0.5
      ? [step / line.size]
      : [];
  });
  return steps.length > 0 ? median(steps) : 1.3;
}

function startsParagraph(open: readonly Line[], line: Line, column: Column, leading: number): boolean {
  const last = open.at(-1) as Line;
  const step = line.baseline - last.baseline;
  if (step <= 0 || Math.abs(line.size - last.size) > 0.12 * last.size) return true;
  const first = open[0] as Line;
  const usual = open.length > 1 ? (last.baseline - first.baseline) / (open.length - 1) : leading * line.size;
  if (step > Math.max(1.25 * usual, 1.02 * line.size) + 1) return true;
  if (endsRightBlock(open, line, column) || parseMarker(textOf(line))) return true;
  const marker = parseMarker(textOf(first));
  if (marker) {
    const hangs = line.rightToLeft || line.left >= first.left + 0.5 * line.size || open.length > 1;
    return endsEarly(last, line, column, hangs);
  }
  if (endsEarly(last, line, column)) return true;
  const indent = line.rightToLeft ? last.right - line.right : line.left - last.left;
  return open.length > 1 && !isCentredBelow(last, line) && indent > 0.8 * line.size;
}

const isCentredBelow = (last: Line, line: Line): boolean =>
  Math.abs(line.left + line.right - last.left - last.right) < line.size;

/** Returns whether a line ends a block on the right, such as the date of a letter, by starting much further left. */
function endsRightBlock(open: readonly Line[], line: Line, { left, right }: Column): boolean {
  const last = open.at(-1) as Line;
  const isFar = last.left - line.left > Math.max(6 * line.size, 0.25 * (right - left));
  if (!isFar || line.rightToLeft || isCentredBelow(last, line)) return false;
  const endsAlike = (other: Line): boolean => Math.abs(other.right - last.right) < 2;
  // A longer line of the same right-aligned text does not reach the left edge.
  if (endsAlike(line) && line.left - left > line.size) return false;
  // Text that wraps around a picture continues below it.
  return (
    open.length === 1 || (open.every(endsAlike) && open.some((other) => Math.abs(other.left - last.left) > 4))
  );
}

const textOf = (line: Line): string => line.runs.map(({ text }) => text).join(" ");

/** Returns whether the next line's first word would have fit, so that the line was ended on purpose. */
function endsEarly(last: Line, line: Line, { left, right }: Column, isItem = false): boolean {
  const first = line.runs[0];
  if (!first) return false;
  const word = first.text.split(/\s/, 1)[0] ?? "";
  const width = (widthOf(first) * word.length) / Math.max(1, first.text.length) + 0.3 * line.size;
  // An indented first line may look centred, but then the next line starts at the left edge.
  const isCentred =
    !isItem &&
    Math.abs(last.left + last.right - left - right) < 0.04 * (right - left) &&
    Math.min(last.left - line.size, line.left) > left;
  const room = isCentred
    ? right - left - widthOf(last)
    : last.rightToLeft
      ? last.left - left
      : right - last.right;
  // The tolerance allows for list items and quotes that end before the column does.
  return room > width + (isCentred ? 0 : 0.02 * (right - left));
}

function createParagraph(lines: readonly Line[], column: Column, words: Vocabulary): Paragraph {
  const [first, second] = lines as [Line, Line | undefined];
  const size = first.size;
  const rightToLeft = lines.filter((line) => line.rightToLeft).length * 2 > lines.length;
  return {
    kind: "paragraph",
    spans: toSpans(lines, words),
    box: boundingBox(lines),
    size,
    lines: lines.length,
    column,
    align: findAlignment(lines, column),
    rightToLeft,
    firstLine: second && !rightToLeft ? first.left - second.left : 0,
    leading: lines.length > 1 ? ((lines.at(-1) as Line).baseline - first.baseline) / (lines.length - 1) : 0,
    heading: null,
    list: null,
  };
}

function findAlignment(lines: readonly Line[], { left, right }: Column): Paragraph["align"] {
  const width = right - left;
  const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
  const starts = lines.map((line) => line.left - left);
  const ends = lines.map((line) => right - line.right);
  const [start = 0] = starts;
  const [end = 0] = ends;
  const isCentred = lines.every((line) => Math.abs(line.left + line.right - left - right) < 0.04 * width + 1);
  const hangs = Math.min(...starts) > 0.04 * width && Math.min(...ends) > 0.04 * width;
  if (isCentred && hangs && (lines.length === 1 || spread(starts) > 2)) return "center";
  if (lines.length === 1) return end < 2 && start > 0.3 * width ? "right" : "left";
  if (spread(ends) < 2 && spread(starts.slice(1)) > 4) return "right";
  if (lines.length > 2 && spread(ends.slice(0, -1)) < 1.5 && spread(starts.slice(1)) < 2) return "both";
  return "left";
}
