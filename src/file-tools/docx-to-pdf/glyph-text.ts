/**
 * Keeps the text of a PDF searchable where it differs from the drawn glyphs: brackets are mirrored in right-to-left text,
 * and characters that no font has are drawn as U+FFFD.
 */
import type { Font, FontFile, Glyph, GlyphRun } from "./pdfmake.js";

/** The right-to-left override, which marks a piece to draw from right to left. */
export const rightToLeftOverride = "\u202e";
const replacementCharacter = "\ufffd";

const pairs = [..."()[]{}<>«»‹›≤≥⟨⟩⟦⟧⁅⁆⦅⦆"];
const mirrored = new Map(pairs.map((mark, at) => [mark, pairs[at % 2 === 0 ? at + 1 : at - 1] as string]));
const mirror = (text: string): string => [...text].map((letter) => mirrored.get(letter) ?? letter).join("");

/** Matches characters with their combining marks. */
export const graphemes = /\P{M}\p{M}*|\p{M}+/gsu;
/** Matches a character of a right-to-left script. */
export const rightToLeftScripts = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const notRightToLeft = `(?!${rightToLeftScripts.source})`;
/** Matches numbers and words of other scripts, which stay left to right. */
const leftToRightSequences = new RegExp(
  `(?:\\p{N}|${notRightToLeft}\\p{L})(?:[.,:/]?(?:\\p{N}|${notRightToLeft}[\\p{L}\\p{M}]))*`,
  "gu",
);

const reverse = (text: string): string => (text.match(graphemes) ?? []).reverse().join("");

/** Characters that every font has. */
const printableAscii = /^[\x20-\x7e\n]*$/;

export function hasGlyphs(font: FontFile, text: string): boolean {
  if (printableAscii.test(text)) return true;
  for (const letter of text)
    if (letter !== "\n" && !font.hasGlyphForCodePoint(letter.codePointAt(0) as number)) return false;
  return true;
}

const emptyBox = Object.freeze({ minX: 0, minY: 0, maxX: 0, maxY: 0 });

/**
 * Gives glyphs without an outline, such as the no-break space of Carlito, an empty box. fontkit would read the outline
 * of the next glyph, and fails if there is none.
 */
function measureEmptyGlyphs(file: FontFile): void {
  const getGlyph = file.getGlyph.bind(file);
  file.getGlyph = (id, codePoints) => {
    const glyph = getGlyph(id, codePoints);
    const offsets = file.loca?.offsets;
    if (offsets && offsets[id] === offsets[id + 1]) glyph._getCBox = () => emptyBox;
    return glyph;
  };
}

const preparedFonts = new WeakSet<Font>();

/** Patches a font to mirror brackets and draw missing characters as U+FFFD, while the PDF keeps the original text. */
export function preserveText(font: Font): void {
  if (preparedFonts.has(font)) return;
  preparedFonts.add(font);
  const { font: file } = font;
  measureEmptyGlyphs(file);
  const layout = file.layout.bind(file);
  file.layout = (text, features) => {
    const isReversed = text.startsWith(rightToLeftOverride);
    const logical = isReversed ? text.slice(1).replace(leftToRightSequences, reverse) : text;
    const missing: string[] = [];
    const shown = hasGlyphs(file, logical) ? logical : replaceMissing(file, logical, missing);
    if (!isReversed) return restoreCodePoints(layout(shown, features), missing, false);
    return restoreCodePoints(layout(mirror(shown), features, undefined, undefined, "rtl"), missing, true);
  };
  font.encode = (text, features) => encode(font, text, features);
}

const replaceMissing = (file: FontFile, text: string, missing: string[]): string =>
  text.replace(graphemes, (letter) => {
    if (letter !== replacementCharacter && hasGlyphs(file, letter)) return letter;
    if (/^\s/.test(letter)) return " ";
    missing.push(letter);
    return replacementCharacter;
  });

function restoreCodePoints(run: GlyphRun, missing: string[], isReversed: boolean): GlyphRun {
  const left = run.direction === "rtl" ? missing.reverse() : missing;
  run.glyphs = run.glyphs.map((glyph) => {
    const drawn = String.fromCodePoint(...glyph.codePoints);
    if (drawn === replacementCharacter) return glyphWithText(glyph, left.shift() ?? replacementCharacter);
    const letter = isReversed ? mirrored.get(drawn) : undefined;
    return letter === undefined ? glyph : glyphWithText(glyph, letter);
  });
  return run;
}

const glyphWithText = (glyph: Glyph, text: string): Glyph =>
  Object.create(glyph, { codePoints: { value: [...text].map((letter) => letter.codePointAt(0)) } });

/** Like pdfkit's `encode`, but a glyph that stands for several texts is embedded once for each of them. */
function encode(font: Font, text: string, features: object | null): ReturnType<Font["encode"]> {
  const { glyphs, positions } = font.layout(text, features);
  const codes = glyphs.map((glyph) => {
    const code = glyphCode(font, glyph);
    font.widths[code] ??= glyph.advanceWidth * font.scale;
    font.unicode[code] ??= glyph.codePoints;
    return code.toString(16).padStart(4, "0");
  });
  return [codes, positions];
}

const glyphCopies = new WeakMap<Font, Map<string, number>>();

function glyphCode(font: Font, glyph: Glyph): number {
  const { subset } = font;
  const code = subset.includeGlyph(glyph.id);
  const meant = String(glyph.codePoints);
  if (font.unicode[code] === undefined || String(font.unicode[code]) === meant) return code;
  const own = glyphCopies.get(font) ?? new Map<string, number>();
  glyphCopies.set(font, own);
  const key = `${glyph.id} ${meant}`;
  const copy = own.get(key) ?? subset.glyphs.push(glyph.id) - 1;
  own.set(key, copy);
  return copy;
}
