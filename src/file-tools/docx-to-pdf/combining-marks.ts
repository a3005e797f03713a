/**
 * Positions combining marks that the font does not position. Tinos and Cousine place a grave above o but not above a
 * dotted ọ, where they leave it beside the letter. Such marks are centred above the letter, as text engines do.
 */
import type { FontFile, Glyph, GlyphRun } from "./pdfmake.js";

/** Gap between a letter and the mark above it, as a ratio of the font size. */
const markGapRatio = 0.06;

const preparedFonts = new WeakSet<FontFile>();

/** Patches a font's layout to position its marks. */
export function positionMarks(font: FontFile): void {
  if (preparedFonts.has(font)) return;
  preparedFonts.add(font);
  const layout = font.layout.bind(font);
  font.layout = (text, ...rest) => {
    const run = layout(text, ...rest);
    if (run.direction === "ltr") positionRunMarks(run, markGapRatio * font.unitsPerEm);
    return run;
  };
}

const centreX = ({ cbox }: Glyph): number => (cbox.minX + cbox.maxX) / 2;

function positionRunMarks({ glyphs, positions }: GlyphRun, space: number): void {
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
      // The pen is already at the end of the letter.
      position.xOffset = centreX(base) - base.advanceWidth - centreX(glyph);
      if (isAbove) position.yOffset = top + space - cbox.minY;
    }
    if (isAbove) top = cbox.maxY + position.yOffset;
  }
}
