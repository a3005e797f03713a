/** Joins lines into styled spans, adding spaces and removing hyphens of words broken at line ends. */
import { hasSpaceBetween, isUnspacedScript } from "./lines.js";
import type { Line, Span, TextRun } from "./page-model.js";

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

/** Spaces between CJK characters, which only justify a line. */
const cjkSpaces =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]) +(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu;

/** Longer text in a smaller size is not a superscript or subscript. */
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
  4 * Number(link !== null) + Number(face.weight >= 500) + Number(face.italic) + Number(raised !== null);

const hasSameStyle = (a: Span, b: Span): boolean =>
  a.face.family === b.face.family &&
  a.face.weight === b.face.weight &&
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
