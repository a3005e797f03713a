/**
 * The fonts that go into the PDF, all of open licences: Arimo, Tinos, Cousine and Carlito are as wide as Arial,
 * Times New Roman, Courier New and Calibri, so lines and pages break where the writer saw them. DejaVu Sans has
 * the symbols and scripts that those lack.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { covers, letters } from "./letters.js";
import type { Inline } from "./nodes.js";
import type { ParagraphStyle } from "./paragraph-style.js";
import type { Pdf } from "./pdfmake.js";
import { clamp } from "./run-style.js";

export type Family = "sans" | "serif" | "mono" | "calibri";
type AnyFamily = Family | "fallback";

const require = createRequire(import.meta.url);

const google = (packageJson: string, name: string) => {
  const file = (style: string): string => join(dirname(packageJson), style, `${name}_${style}.ttf`);
  return {
    normal: file("400Regular"),
    bold: file("700Bold"),
    italics: file("400Regular_Italic"),
    bolditalics: file("700Bold_Italic"),
  };
};

function dejavu(packageJson: string) {
  const file = (style: string): string => join(dirname(packageJson), "ttf", `DejaVuSans${style}.ttf`);
  return {
    normal: file(""),
    bold: file("-Bold"),
    italics: file("-Oblique"),
    bolditalics: file("-BoldOblique"),
  };
}

export const fontFiles = () => ({
  sans: google(require.resolve("@expo-google-fonts/arimo/package.json"), "Arimo"),
  serif: google(require.resolve("@expo-google-fonts/tinos/package.json"), "Tinos"),
  mono: google(require.resolve("@expo-google-fonts/cousine/package.json"), "Cousine"),
  calibri: google(require.resolve("@expo-google-fonts/carlito/package.json"), "Carlito"),
  fallback: dejavu(require.resolve("dejavu-fonts-ttf/package.json")),
});

const likeMono = /courier|mono|consolas|typewriter|lucida console/;
const likeSans = /sans|arial|helvetica|verdana|tahoma|gothic/;
const likeCalibri = /calibri|carlito|aptos|corbel|candara|segoe/;
const likeSerif =
  /times|serif|georgia|cambria|garamond|book|roman|palatino|century|minion|baskerville|constantia|song|ming|mincho/;

/** The family that stands in for a font; without a name, Word takes Times New Roman. */
export function familyOf(name: string | undefined): Family {
  const lower = (name ?? "times").toLowerCase();
  if (likeMono.test(lower)) return "mono";
  if (likeCalibri.test(lower)) return "calibri";
  if (likeSans.test(lower)) return "sans";
  return likeSerif.test(lower) ? "serif" : "sans";
}

export interface Piece {
  text: string;
  font: AnyFamily;
}

/** What tells a reader's program something, and shows nothing. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Words, and signs with their marks. */
const parts = /\p{L}[\p{L}\p{M}]*|[^\p{L}]\p{M}*/gu;

export class Fonts {
  readonly #pdf: Pdf;

  constructor(pdf: Pdf) {
    this.#pdf = pdf;
  }

  /** pdfmake's own lines leave the gap out that the font wants between them; Word keeps it. */
  lineHeight({ font, fontSize, bold, italics }: Inline, line: ParagraphStyle["line"]): number {
    const file = this.#pdf.provideFont(font, bold, italics);
    const own = file.lineHeight(1, false);
    if (line && "points" in line) return clamp(line.points / (own * fontSize), 0.5, 8);
    return clamp((line?.times ?? 1) * (file.lineHeight(1, true) / own), 0.5, 8);
  }

  /** Cuts the text where the font has to change: words keep to one font, letters to that of their marks. */
  split(text: string, family: Family, bold: boolean, italics: boolean): Piece[] {
    const chain = [family, "sans", "fallback"] as const;
    const fonts = chain.map((name) => ({ name, file: this.#pdf.provideFont(name, bold, italics).font }));
    const fontOf = (part: string) => fonts.find(({ file }) => covers(file, part))?.name;
    const shown = text.normalize("NFC").replace(invisible, "");
    if (fontOf(shown) === family) return [{ text: shown, font: family }];
    const pieces: Piece[] = [];
    const add = (part: string, font: AnyFamily): void => {
      const last = pieces.at(-1);
      if (last?.font === font) last.text += part;
      else pieces.push({ text: part, font });
    };
    for (const [part] of shown.matchAll(parts)) {
      const font = fontOf(part);
      if (font) add(part, font);
      else for (const [letter] of part.matchAll(letters)) add(letter, fontOf(letter) ?? "fallback");
    }
    return pieces;
  }
}
