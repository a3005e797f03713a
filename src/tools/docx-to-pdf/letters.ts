/**
 * What is drawn for a text and what a reader's program finds in it, where the two differ: brackets turn round from right
 * to left, and letters that no font has show as U+FFFD but keep their code points.
 */
import type { Font, FontFile, Glyph, GlyphRun } from "./pdfmake.js";

/** Stands before a piece that is drawn from right to left, as in Unicode: the right-to-left override. */
export const fromRightToLeft = "\u202e";
const replacement = "\ufffd";

const pairs = [..."()[]{}<>«»‹›≤≥⟨⟩⟦⟧⁅⁆⦅⦆"];
const mirrored = new Map(pairs.map((mark, at) => [mark, pairs[at % 2 === 0 ? at + 1 : at - 1] as string]));
const mirror = (text: string): string => [...text].map((letter) => mirrored.get(letter) ?? letter).join("");

/** Each with its marks. */
export const letters = /\P{M}\p{M}*|\p{M}+/gsu;
/** Scripts that run so. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const other = `(?!${rightToLeft.source})`;
/** Numbers and words of other scripts: they run on from left to right. */
const forward = new RegExp(`(?:\\p{N}|${other}\\p{L})(?:[.,:/]?(?:\\p{N}|${other}[\\p{L}\\p{M}]))*`, "gu");

const reverse = (text: string): string => (text.match(letters) ?? []).reverse().join("");

/** Every font has these. */
const plain = /^[\x20-\x7e\n]*$/;

export function covers(font: FontFile, text: string): boolean {
  if (plain.test(text)) return true;
  for (const letter of text)
    if (letter !== "\n" && !font.hasGlyphForCodePoint(letter.codePointAt(0) as number)) return false;
  return true;
}

const prepared = new WeakSet<Font>();

/** From now on the font mirrors, draws what it lacks as U+FFFD, and keeps the letters of both. */
export function keepLetters(font: Font): void {
  if (prepared.has(font)) return;
  prepared.add(font);
  const { font: file } = font;
  const layout = file.layout.bind(file);
  file.layout = (text, features) => {
    const isReversed = text.startsWith(fromRightToLeft);
    const logical = isReversed ? text.slice(1).replace(forward, reverse) : text;
    const lacking: string[] = [];
    const shown = covers(file, logical) ? logical : replaceLacking(file, logical, lacking);
    if (!isReversed) return withLetters(layout(shown, features), lacking, false);
    return withLetters(layout(mirror(shown), features, undefined, undefined, "rtl"), lacking, true);
  };
  font.encode = (text, features) => encode(font, text, features);
}

const replaceLacking = (file: FontFile, text: string, lacking: string[]): string =>
  text.replace(letters, (letter) => {
    if (letter !== replacement && covers(file, letter)) return letter;
    if (/^\s/.test(letter)) return " ";
    lacking.push(letter);
    return replacement;
  });

function withLetters(run: GlyphRun, lacking: string[], isReversed: boolean): GlyphRun {
  const left = run.direction === "rtl" ? lacking.reverse() : lacking;
  run.glyphs = run.glyphs.map((glyph) => {
    const drawn = String.fromCodePoint(...glyph.codePoints);
    if (drawn === replacement) return standingFor(glyph, left.shift() ?? replacement);
    const letter = isReversed ? mirrored.get(drawn) : undefined;
    return letter === undefined ? glyph : standingFor(glyph, letter);
  });
  return run;
}

const standingFor = (glyph: Glyph, text: string): Glyph =>
  Object.create(glyph, { codePoints: { value: [...text].map((letter) => letter.codePointAt(0)) } });

/** As pdfkit's own, but a shape that stands for several letters is embedded once for each. */
function encode(font: Font, text: string, features: object | null): ReturnType<Font["encode"]> {
  const { glyphs, positions } = font.layout(text, features);
  const codes = glyphs.map((glyph) => {
    const code = codeOf(font, glyph);
    font.widths[code] ??= glyph.advanceWidth * font.scale;
    font.unicode[code] ??= glyph.codePoints;
    return code.toString(16).padStart(4, "0");
  });
  return [codes, positions];
}

const copies = new WeakMap<Font, Map<string, number>>();

function codeOf(font: Font, glyph: Glyph): number {
  const { subset } = font;
  const code = subset.includeGlyph(glyph.id);
  const meant = String(glyph.codePoints);
  if (font.unicode[code] === undefined || String(font.unicode[code]) === meant) return code;
  const own = copies.get(font) ?? new Map<string, number>();
  copies.set(font, own);
  const key = `${glyph.id} ${meant}`;
  const copy = own.get(key) ?? subset.glyphs.push(glyph.id) - 1;
  own.set(key, copy);
  return copy;
}
