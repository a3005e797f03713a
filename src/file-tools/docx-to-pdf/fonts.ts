/** Chooses the fonts of text, so that words stay in one font and no character is lost. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { placeholderName } from "./placeholder-font.js";

type Family = "sans" | "serif" | "mono" | "calibri" | "fallback";

export interface FontFile {
  family: Family;
  /** Name by which Typst knows the family. */
  name: string;
  bold: boolean;
  italics: boolean;
  bytes: Uint8Array;
  info: unknown;
  /** The code points that have a glyph. */
  codePoints: ReadonlySet<number>;
}

/** Names and styles that Typst reads in a font file. */
interface FontInfo {
  /** Numbers of code points in turn without and with a glyph. */
  info: readonly { coverage: readonly number[] }[];
}

/**
 * The fonts of the PDF, all openly licensed. Arimo, Tinos, Cousine and Carlito have the metrics of Arial, Times New
 * Roman, Courier New and Calibri, so that lines and pages break in the same places. DejaVu Sans adds symbols and scripts.
 */
const families: readonly { family: Family; name: string; packageName: string }[] = [
  { family: "sans", name: "Arimo", packageName: "@expo-google-fonts/arimo" },
  { family: "serif", name: "Tinos", packageName: "@expo-google-fonts/tinos" },
  { family: "mono", name: "Cousine", packageName: "@expo-google-fonts/cousine" },
  { family: "calibri", name: "Carlito", packageName: "@expo-google-fonts/carlito" },
  { family: "fallback", name: "DejaVu Sans", packageName: "dejavu-fonts-ttf" },
];

/** Names of the styles in the packages of Google's fonts and of DejaVu. */
const styles = [
  { bold: false, italics: false, google: "400Regular", dejavu: "" },
  { bold: true, italics: false, google: "700Bold", dejavu: "-Bold" },
  { bold: false, italics: true, google: "400Regular_Italic", dejavu: "-Oblique" },
  { bold: true, italics: true, google: "700Bold_Italic", dejavu: "-BoldOblique" },
];

const require = createRequire(import.meta.url);

/** The build has the four files of DejaVu that are used, of 21. */
const isBuilt = !import.meta.url.endsWith(".ts");
const builtFonts = fileURLToPath(new URL("../fonts/", import.meta.url));

const folderOf = (packageName: string): string => {
  const folder = dirname(require.resolve(`${packageName}/package.json`));
  return packageName === "dejavu-fonts-ttf" ? join(folder, "ttf") : folder;
};

/** Reads all fonts. `readInfo` describes a font file to Typst. */
export const readFonts = (readInfo: (bytes: Uint8Array) => FontInfo): FontFile[] =>
  families.flatMap(({ family, name, packageName }) => {
    const folder = isBuilt && family === "fallback" ? builtFonts : folderOf(packageName);
    return styles.map(({ bold, italics, google, dejavu }) => {
      const path =
        family === "fallback"
          ? join(folder, `DejaVuSans${dejavu}.ttf`)
          : join(folder, google, `${name}_${google}.ttf`);
      const bytes = readFileSync(path);
      if (family === "serif" || family === "mono") hideTable(bytes, "GPOS");
      const info = readInfo(bytes);
      return { family, name, bold, italics, bytes, info, codePoints: readCoverage(info) };
    });
  });

/**
 * Renames a table of a font. Tinos and Cousine place a grave above o but not above a dotted ọ, where they leave it beside
 * the letter. Without their table of positions, marks are centred above every letter.
 */
function hideTable(font: Buffer, name: string): void {
  const entries = font.readUInt16BE(4);
  for (let at = 12; at < 12 + 16 * entries; at += 16)
    if (font.toString("latin1", at, at + 4) === name) font.write("none", at, "latin1");
}

function readCoverage({ info: [font] }: FontInfo): ReadonlySet<number> {
  const codePoints = new Set<number>();
  let at = 0;
  for (const [index, count] of (font?.coverage ?? []).entries()) {
    if (index % 2 === 1) for (let point = at; point < at + count; point++) codePoints.add(point);
    at += count;
  }
  return codePoints;
}

const likeMono = /courier|mono|consolas|typewriter|lucida console/;
const likeSans = /sans|arial|helvetica|verdana|tahoma|gothic/;
const likeCalibri = /calibri|carlito|aptos|corbel|candara|segoe/;
const likeSerif =
  /times|serif|georgia|cambria|garamond|book|roman|palatino|century|minion|baskerville|constantia|song|ming|mincho/;

/** Returns the substitute for a font. Word's default is Times New Roman. */
function substituteFamily(name: string | undefined): Family {
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

/** Splits text by font. Words stay in one font, and letters in the font of their combining marks. Adds characters that no font has to `missing`. */
export function splitByFont(
  text: string,
  name: string | undefined,
  { bold = false, italics = false }: { bold?: boolean; italics?: boolean },
  files: readonly FontFile[],
  missing: Set<string>,
): FontPiece[] {
  const shown = text.normalize("NFC").replace(invisibleCharacters, "");
  const fonts = [substituteFamily(name), "sans", "fallback"].flatMap((family) =>
    files.filter((file) => file.family === family && file.bold === bold && file.italics === italics),
  );
  const fontOf = (part: string): FontFile | undefined =>
    fonts.find(({ codePoints }) => printableAscii.test(part) || hasAll(codePoints, part));
  if (fontOf(shown) === fonts[0]) return [{ text: shown, font: fonts[0]?.name ?? "" }];
  const pieces: FontPiece[] = [];
  const add = (part: string, font: string): void => {
    const last = pieces.at(-1);
    if (last?.font === font) last.text += part;
    else pieces.push({ text: part, font });
  };
  for (const [part] of shown.matchAll(wordsAndSigns)) {
    const font = fontOf(part)?.name;
    if (font !== undefined) add(part, font);
    else
      for (const [letter] of part.matchAll(graphemes)) {
        const own = fontOf(letter)?.name;
        if (own === undefined) for (const character of letter) missing.add(character);
        add(letter, own ?? placeholderName);
      }
  }
  return pieces;
}

function hasAll(codePoints: ReadonlySet<number>, text: string): boolean {
  for (const character of text) if (!codePoints.has(character.codePointAt(0) as number)) return false;
  return true;
}
