/** Lines become one text: spaces where there is room for them, hyphens of broken words undone, looks kept. */
import { isApart, isDense } from "./lines.js";
import type { Line, Run, Span } from "./model.js";

/** Every word of the document, in small letters: it says which hyphens at line ends are part of a word. */
export type Vocabulary = ReadonlySet<string>;

export const wordsIn = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-‐][\p{L}\p{N}]+)*/gu) ?? [];

export function spansOf(lines: readonly Line[], words: Vocabulary): Span[] {
  const spans: Span[] = [];
  for (const line of lines)
    for (const [at, run] of line.runs.entries()) {
      const before = line.runs[at - 1];
      const last = spans.at(-1);
      const isSpaced = before ? isApart(before, run) : last && goesOnSpaced(last, run, words);
      add(spans, spanOf(run, line), isSpaced ? " " : "");
    }
  for (const span of spans) span.text = span.text.replace(unspaced, "");
  return spans;
}

/** Spaces that only justify a line, in scripts that write without any. */
const unspaced =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]) +(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu;

/** Letters; longer text that is smaller stands beside, not above. */
const longestRaised = 12;

function spanOf(run: Run, line: Line): Span {
  const isSmall =
    run.size < 0.85 * line.size && run.text.length <= longestRaised && !run.text.startsWith("\t");
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

/** Links and the like end with their last letter: the space goes to the plainer neighbour. */
function add(spans: Span[], span: Span, space: string): void {
  const last = spans.at(-1);
  const own = last && /\s$/.test(last.text) ? "" : space;
  if (last && looksAlike(last, span)) last.text += own + span.text;
  else if (last && marksOf(last) <= marksOf(span)) {
    last.text += own;
    spans.push(span);
  } else spans.push({ ...span, text: own + span.text });
}

const marksOf = ({ link, face, raised }: Span): number =>
  4 * Number(link !== null) + Number(face.weight >= 500) + Number(face.italic) + Number(raised !== null);

const looksAlike = (a: Span, b: Span): boolean =>
  a.face.family === b.face.family &&
  a.face.weight === b.face.weight &&
  a.face.italic === b.face.italic &&
  Math.abs(a.size - b.size) < 0.3 &&
  a.raised === b.raised &&
  a.rightToLeft === b.rightToLeft &&
  a.link === b.link;

/** Between the end of one line and the beginning of the next; takes the hyphen off a word that it broke. */
function goesOnSpaced(last: Span, next: Run, words: Vocabulary): boolean {
  const [, start, hyphen] = /([\p{L}\p{N}]+(?:[-‐][\p{L}\p{N}]+)*)([-‐\u00ad])$/u.exec(last.text) ?? [];
  const end = /^[\p{L}\p{N}]+/u.exec(next.text)?.[0];
  if (!start || !hyphen) return !(isDense(last.text.slice(-1)) && isDense(next.text));
  if (end && isBroken(start, hyphen, end, words)) last.text = last.text.slice(0, -1);
  return !end;
}

/** A hyphen at a line's end breaks a word, unless the document writes the word with it elsewhere. */
function isBroken(start: string, hyphen: string, end: string, words: Vocabulary): boolean {
  if (hyphen === "\u00ad") return true;
  if (!/^\p{Ll}/u.test(end) || !/\p{L}$/u.test(start)) return false;
  if (words.has(`${start}${end}`.toLowerCase())) return true;
  return !words.has(`${start}-${end}`.toLowerCase()) && !start.includes("-") && start.length > 1;
}
