/**
 * Places for marks that a font has none for. Tinos and Cousine know a grave above o, but not above a dotted ọ, and
 * leave it beside the letter; here it goes above the letter's middle, as text engines do in that case.
 */
import type { FontFile, Glyph, GlyphRun } from "./pdfmake.js";

/** Between a letter and the mark above it, in times of the font's size. */
const gap = 0.06;

const placed = new WeakSet<FontFile>();

/** From now on the font's lines have their marks in place. */
export function placeMarks(font: FontFile): void {
  if (placed.has(font)) return;
  placed.add(font);
  const layout = font.layout.bind(font);
  font.layout = (text, ...rest) => {
    const run = layout(text, ...rest);
    if (run.direction === "ltr") placeIn(run, gap * font.unitsPerEm);
    return run;
  };
}

const middleOf = ({ cbox }: Glyph): number => (cbox.minX + cbox.maxX) / 2;

function placeIn({ glyphs, positions }: GlyphRun, space: number): void {
  let base: Glyph | null = null;
  let top = 0;
  for (const [at, glyph] of glyphs.entries()) {
    const position = positions[at];
    if (!glyph.isMark) {
      base = glyph;
      top = glyph.cbox.maxY;
      continue;
    }
    if (!base || !position || position.xAdvance !== 0) continue;
    const { cbox } = glyph;
    const isAbove = cbox.minY > 0;
    const isPlaced = position.xOffset !== 0 || position.yOffset !== 0;
    if (!isPlaced) {
      // The line has gone on to the letter's end.
      position.xOffset = middleOf(base) - base.advanceWidth - middleOf(glyph);
      if (isAbove) position.yOffset = top + space - cbox.minY;
    }
    if (isAbove) top = cbox.maxY + position.yOffset;
  }
}
