/** Chooses the fonts of text, so that words stay in one font and no character is lost. */
import type { Family, FontFile } from "./font-files.js";
import { placeholderName } from "./placeholder-font.js";

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

/** Extents of a line above and below the baseline in font sizes, with the font's line gap above, as in Word. */
const lineExtents: Readonly<Record<string, readonly [top: number, bottom: number]>> = {
  Arimo: [0.938, 0.212],
  Tinos: [0.934, 0.216],
  Cousine: [0.833, 0.3],
  Carlito: [0.952, 0.269],
};
const usualExtent = [0.928, 0.236] as const;

/** Returns the extents of a line of `times` the usual height, which keeps the room below the baseline. */
export function lineExtent(font: string, times: number): { top: number; bottom: number } {
  const [top, bottom] = lineExtents[font] ?? usualExtent;
  const below = bottom * Math.min(1, times);
  return { top: (top + bottom) * times - below, bottom: below };
}

export interface FontPiece {
  text: string;
  /** Name of the font. */
  font: string;
}

/** Control characters, halves of surrogate pairs, soft hyphens, zero-width and directional characters. */
const invisibleCharacters = /[\p{Cc}\p{Cs}\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;
/** Matches words, and other characters with their combining marks. */
const wordsAndSigns = /\p{L}[\p{L}\p{M}]*|[^\p{L}]\p{M}*/gu;
/** Matches characters with their combining marks. */
const graphemes = /\P{M}\p{M}*|\p{M}+/gsu;
/** Characters that every font has. */
const printableAscii = /^[\x20-\x7e]*$/;

export class Fonts {
  readonly #files: readonly FontFile[];
  /** Code points that no font has. */
  readonly missing = new Set<number>();

  constructor(files: readonly FontFile[]) {
    this.#files = files;
  }

  /** Splits text by font. Words stay in one font, and letters in the font of their combining marks. */
  split(text: string, family: Family, bold: boolean, italics: boolean): FontPiece[] {
    const shown = text.normalize("NFC").replace(invisibleCharacters, "");
    const fonts = [family, "sans", "fallback"].flatMap((one) =>
      this.#files.filter((file) => file.family === one && file.bold === bold && file.italics === italics),
    );
    const fontOf = (part: string): string | undefined =>
      fonts.find(({ codePoints }) => printableAscii.test(part) || hasAll(codePoints, part))?.name;
    const own = fonts[0]?.name;
    if (own !== undefined && fontOf(shown) === own) return [{ text: shown, font: own }];
    const pieces: FontPiece[] = [];
    const add = (part: string, font: string): void => {
      const last = pieces.at(-1);
      if (last?.font === font) last.text += part;
      else pieces.push({ text: part, font });
    };
    for (const [part] of shown.matchAll(wordsAndSigns)) {
      const font = fontOf(part);
      if (font) add(part, font);
      else for (const [letter] of part.matchAll(graphemes)) add(letter, fontOf(letter) ?? this.#miss(letter));
    }
    return pieces;
  }

  #miss(letter: string): string {
    for (const character of letter) this.missing.add(character.codePointAt(0) as number);
    return placeholderName;
  }
}

function hasAll(codePoints: ReadonlySet<number>, text: string): boolean {
  for (const character of text) if (!codePoints.has(character.codePointAt(0) as number)) return false;
  return true;
}
