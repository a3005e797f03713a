/** The fonts of the PDF, and the fonts of a document that they replace. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface FontFile {
  family: string;
  bytes: Uint8Array;
  info: FontInfo;
}

/** Names and styles that Typst reads in a font file. */
interface FontInfo {
  /** Numbers of code points in turn without and with a glyph. */
  info: readonly { coverage: readonly number[] }[];
}

interface Family {
  name: string;
  /** Names of the fonts, in lower case, that it replaces. */
  standsFor: RegExp;
  /**
   * Extents of a line above and below the baseline as multiples of the font size, with the font's line gap above, as in
   * Word.
   */
  line: { top: number; bottom: number };
}

/**
 * Openly licensed families with the metrics of Arial, Courier New, Calibri and Times New Roman, so that lines break in
 * the same places.
 */
const sans = {
  name: "Arimo",
  standsFor: /sans|arial|helvetica|verdana|tahoma|gothic/,
  line: { top: 0.938, bottom: 0.212 },
};
const families: readonly Family[] = [
  {
    name: "Cousine",
    standsFor: /courier|mono|consolas|typewriter|lucida console/,
    line: { top: 0.833, bottom: 0.3 },
  },
  {
    name: "Carlito",
    standsFor: /calibri|carlito|aptos|corbel|candara|segoe/,
    line: { top: 0.952, bottom: 0.269 },
  },
  sans,
  {
    name: "Tinos",
    standsFor:
      /times|serif|georgia|cambria|garamond|book|roman|palatino|century|minion|baskerville|constantia|song|ming|mincho/,
    line: { top: 0.934, bottom: 0.216 },
  },
];

/** Returns the family that replaces a font. Word's default is Times New Roman. */
export const familyOf = (name = "times"): Family =>
  families.find(({ standsFor }) => standsFor.test(name.toLowerCase())) ?? sans;

/** Family with further symbols and scripts. */
const symbolFamily = "DejaVu Sans";

const require = createRequire(import.meta.url);
const folderOf = (packageName: string): string => dirname(require.resolve(`${packageName}/package.json`));

/** Returns the folder of DejaVu. The build contains only the four of its 21 files that are used. */
const dejavuFolder = (): string =>
  import.meta.url.endsWith(".ts")
    ? join(folderOf("dejavu-fonts-ttf"), "ttf")
    : fileURLToPath(new URL("../fonts/", import.meta.url));

const googleStyles = ["400Regular", "700Bold", "400Regular_Italic", "700Bold_Italic"];
const dejavuStyles = ["", "-Bold", "-Oblique", "-BoldOblique"];

/** Reads all fonts. `readInfo` describes a font file to Typst. */
export function readFonts(readInfo: (bytes: Uint8Array) => FontInfo): FontFile[] {
  const google = families.flatMap(({ name }) => {
    const folder = folderOf(`@expo-google-fonts/${name.toLowerCase()}`);
    return googleStyles.map((style) => ({ family: name, path: join(folder, style, `${name}_${style}.ttf`) }));
  });
  const symbols = dejavuStyles.map((style) => ({
    family: symbolFamily,
    path: join(dejavuFolder(), `DejaVuSans${style}.ttf`),
  }));
  return [...google, ...symbols].map(({ family, path }) => {
    const bytes = readFileSync(path);
    if (family === "Tinos" || family === "Cousine") hideTable(bytes, "GPOS");
    return { family, bytes, info: readInfo(bytes) };
  });
}

/**
 * Renames a table of a font. Tinos and Cousine place a grave above o but not above a dotted ọ, where they leave it beside
 * the letter. Without their table of positions, marks are centred above every letter.
 */
function hideTable(font: Buffer, name: string): void {
  const entries = font.readUInt16BE(4);
  for (let at = 12; at < 12 + 16 * entries; at += 16)
    if (font.toString("latin1", at, at + 4) === name) font.write("none", at, "latin1");
}

/** The code points for which a family has a glyph. */
type Coverage = ReadonlyMap<string, ReadonlySet<number>>;

/** Returns the coverage of each family, in the first of its styles. */
export const readCoverage = (fonts: readonly FontFile[]): Coverage =>
  new Map(fonts.toReversed().map(({ family, info }) => [family, codePointsOf(info)]));

function codePointsOf({ info: [font] }: FontInfo): ReadonlySet<number> {
  const codePoints = new Set<number>();
  let at = 0;
  for (const [index, count] of (font?.coverage ?? []).entries()) {
    if (index % 2 === 1) for (let point = at; point < at + count; point++) codePoints.add(point);
    at += count;
  }
  return codePoints;
}

/** Characters that every font has. */
const printableAscii = /^[\x20-\x7e]*$/;
/** Matches words, and other characters with their combining marks. */
const wordsAndSigns = /\p{L}[\p{L}\p{M}]*|[^\p{L}]\p{M}*/gu;
/** Matches characters with their combining marks. */
const graphemes = /\P{M}\p{M}*|\p{M}+/gsu;

/**
 * Splits text by family. Words stay in one family, unless no family has all of their letters. The family is null for
 * letters that no family has.
 */
export function splitByFamily(
  text: string,
  font: string | undefined,
  coverage: Coverage,
): { text: string; family: string | null }[] {
  const names = [familyOf(font).name, sans.name, symbolFamily];
  const find = (part: string): string | null =>
    names.find(
      (name) =>
        printableAscii.test(part) ||
        [...part].every((character) => coverage.get(name)?.has(character.codePointAt(0) as number)),
    ) ?? null;
  if (find(text) === names[0]) return [{ text, family: names[0] as string }];
  const pieces: { text: string; family: string | null }[] = [];
  for (const [part] of text.matchAll(wordsAndSigns))
    for (const [piece] of find(part) === null ? part.matchAll(graphemes) : [[part]]) {
      const family = find(piece);
      const last = pieces.at(-1);
      if (last?.family === family) last.text += piece;
      else pieces.push({ text: piece, family });
    }
  return pieces;
}
