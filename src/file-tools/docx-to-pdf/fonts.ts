/**
 * The fonts of the PDF, all openly licensed. Arimo, Tinos, Cousine and Carlito have the metrics of Arial, Times New
 * Roman, Courier New and Calibri, so that lines and pages break in the same places. DejaVu Sans adds symbols and scripts.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { graphemes, hasGlyphs } from "./glyph-text.js";
import type { Inline } from "./nodes.js";
import type { ParagraphStyle } from "./paragraph-style.js";
import type { Pdf } from "./pdfmake.js";
import { clamp } from "./run-style.js";

export type Family = "sans" | "serif" | "mono" | "calibri";
type AnyFamily = Family | "fallback";

const require = createRequire(import.meta.url);

const googleFont = (packageJson: string, name: string) => {
  const file = (style: string): string => join(dirname(packageJson), style, `${name}_${style}.ttf`);
  return {
    normal: file("400Regular"),
    bold: file("700Bold"),
    italics: file("400Regular_Italic"),
    bolditalics: file("700Bold_Italic"),
  };
};

function dejavuFont(packageJson: string) {
  const file = (style: string): string => join(dirname(packageJson), "ttf", `DejaVuSans${style}.ttf`);
  return {
    normal: file(""),
    bold: file("-Bold"),
    italics: file("-Oblique"),
    bolditalics: file("-BoldOblique"),
  };
}

export const fontFiles = () => ({
  sans: googleFont(require.resolve("@expo-google-fonts/arimo/package.json"), "Arimo"),
  serif: googleFont(require.resolve("@expo-google-fonts/tinos/package.json"), "Tinos"),
  mono: googleFont(require.resolve("@expo-google-fonts/cousine/package.json"), "Cousine"),
  calibri: googleFont(require.resolve("@expo-google-fonts/carlito/package.json"), "Carlito"),
  fallback: dejavuFont(require.resolve("dejavu-fonts-ttf/package.json")),
});

const likeMono = /courier|mono|consolas|typewriter|lucida console/;
const likeSans = /sans|arial|helvetica|verdana|tahoma|gothic/;
const likeCalibri = /calibri|carlito|aptos|corbel|candara|segoe/;
const likeSerif =
  /times|serif|georgia|cambria|garamond|book|roman|palatino|century|minion|baskerville|constantia|song|ming|mincho/;

/** Returns the substitute for a font. Word's default is Times New Roman. */
export function substituteFamily(name: string | undefined): Family {
  const lower = (name ?? "times").toLowerCase();
  if (likeMono.test(lower)) return "mono";
  if (likeCalibri.test(lower)) return "calibri";
  if (likeSans.test(lower)) return "sans";
  return likeSerif.test(lower) ? "serif" : "sans";
}

export interface FontPiece {
  text: string;
  font: AnyFamily;
}

/** Soft hyphens, zero-width and directional characters. */
const invisibleCharacters = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Matches words, and other characters with their combining marks. */
const wordsAndSigns = /\p{L}[\p{L}\p{M}]*|[^\p{L}]\p{M}*/gu;

export class Fonts {
  readonly #pdf: Pdf;

  constructor(pdf: Pdf) {
    this.#pdf = pdf;
  }

  /** Returns a line height factor that includes the font's line gap, as Word does and pdfmake does not. */
  lineHeight({ font, fontSize, bold, italics }: Inline, line: ParagraphStyle["line"]): number {
    const file = this.#pdf.provideFont(font, bold, italics);
    const own = file.lineHeight(1, false);
    if (line && "points" in line) return clamp(line.points / (own * fontSize), 0.5, 8);
    return clamp((line?.times ?? 1) * (file.lineHeight(1, true) / own), 0.5, 8);
  }

  /** Splits text by font. Words stay in one font, and letters in the font of their combining marks. */
  split(text: string, family: Family, bold: boolean, italics: boolean): FontPiece[] {
    const chain = [family, "sans", "fallback"] as const;
    const fonts = chain.map((name) => ({ name, file: this.#pdf.provideFont(name, bold, italics).font }));
    const fontOf = (part: string) => fonts.find(({ file }) => hasGlyphs(file, part))?.name;
    const shown = text.normalize("NFC").replace(invisibleCharacters, "");
    if (fontOf(shown) === family) return [{ text: shown, font: family }];
    const pieces: FontPiece[] = [];
    const add = (part: string, font: AnyFamily): void => {
      const last = pieces.at(-1);
      if (last?.font === font) last.text += part;
      else pieces.push({ text: part, font });
    };
    for (const [part] of shown.matchAll(wordsAndSigns)) {
      const font = fontOf(part);
      if (font) add(part, font);
      else for (const [letter] of part.matchAll(graphemes)) add(letter, fontOf(letter) ?? "fallback");
    }
    return pieces;
  }
}
