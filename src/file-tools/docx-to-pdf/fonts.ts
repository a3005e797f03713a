/** Chooses the fonts of text, so that words stay in one font and no character is lost. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const placeholderName = "Standin Placeholder";

const unitsPerEm = 1000;
/** An outer box and an inner one in the other direction. */
const box = { left: 60, bottom: 0, right: 540, top: 700, line: 110 };
const advance = 600;
/** Number of glyphs of a TrueType font, without the first, which stands for characters that the font lacks. */
const maxGlyphs = 65_534;

const int16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * at);
  return bytes;
};
const int32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
};

function boxGlyph(): Buffer {
  const { left, bottom, right, top, line } = box;
  const outer = [left, bottom, left, top, right, top, right, bottom];
  const inner = [
    left + line,
    bottom + line,
    right - line,
    bottom + line,
    right - line,
    top - line,
    left + line,
    top - line,
  ];
  const points = [...outer, ...inner];
  const steps = (axis: 0 | 1): number[] =>
    Array.from(
      { length: 8 },
      (_, at) => (points[2 * at + axis] ?? 0) - (at > 0 ? (points[2 * at - 2 + axis] ?? 0) : 0),
    );
  const header = int16(2, left, bottom, right, top, 3, 7, 0);
  return Buffer.concat([header, Buffer.alloc(8, 1), int16(...steps(0), ...steps(1))]);
}

function cmapTable(codePoints: readonly number[]): Buffer {
  const groups = codePoints.map((code, at) => int32(code, code, at + 1));
  const table = Buffer.concat([int16(12, 0), int32(16 + 12 * groups.length, 0, groups.length), ...groups]);
  return Buffer.concat([int16(0, 1, 3, 10), int32(12), table]);
}

function nameTable(): Buffer {
  const names = [1, 4, 6].map((id) => ({
    id,
    text: id === 6 ? placeholderName.replaceAll(" ", "") : placeholderName,
  }));
  const texts = names.map(({ text }) => Buffer.from(text, "utf16le").swap16());
  let at = 0;
  const records = names.map(({ id }, index) => {
    const length = texts[index]?.length ?? 0;
    at += length;
    return int16(3, 1, 0x409, id, length, at - length);
  });
  return Buffer.concat([int16(0, names.length, 6 + 12 * names.length), ...records, ...texts]);
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

/** Creates the font of these code points. Combining marks have no outline and no width. */
export function placeholderFont(missing: ReadonlySet<number>): Uint8Array {
  const codePoints = [...missing].sort((one, other) => one - other).slice(0, maxGlyphs);
  const isMark = codePoints.map((code) => /\p{M}/u.test(String.fromCodePoint(code)));
  const glyph = boxGlyph();
  const outlines = [true, ...isMark.map((mark) => !mark)];
  const offsets: number[] = [];
  for (const has of outlines) offsets.push((offsets.at(-1) ?? 0) + (has ? glyph.length : 0));
  const count = outlines.length;
  const { left, bottom, right, top } = box;
  const tables: Record<string, Buffer> = {
    "OS/2": Buffer.concat([
      int16(4, advance, 400, 5, 0, 300, 300, 0, 100, 300, 300, 0, 300, 50, 250, 0),
      Buffer.alloc(10),
      int32(0, 0, 0, 0),
      Buffer.from("NONE"),
      int16(64, 0, 0xffff, 800, -200, 0, 800, 200),
      int32(0, 0),
      int16(500, top, 0, 32, 0),
    ]),
    cmap: cmapTable(codePoints),
    glyf: Buffer.concat(outlines.map((has) => (has ? glyph : Buffer.alloc(0)))),
    head: Buffer.concat([
      int32(0x10000, 0x10000, 0, 0x5f0f3cf5),
      int16(3, unitsPerEm, 0, 0, 0, 0, 0, 0, 0, 0, left, bottom, right, top, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([
      int32(0x10000),
      int16(800, -200, 0, advance, 0, 0, right, 1, 0, 0, 0, 0, 0, 0, 0, count),
    ]),
    hmtx: int16(...outlines.flatMap((has) => (has ? [advance, left] : [0, 0]))),
    loca: int32(0, ...offsets),
    maxp: Buffer.concat([int32(0x10000), int16(count, 8, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)]),
    name: nameTable(),
    post: Buffer.concat([int32(0x30000, 0), int16(-100, 50), int32(0, 0, 0, 0, 0)]),
  };
  const names = Object.keys(tables);
  let at = 12 + 16 * names.length;
  const directory = Object.entries(tables).map(([name, table]) => {
    const entry = Buffer.concat([Buffer.from(name), int32(checksum(padded(table)), at, table.length)]);
    at += padded(table).length;
    return entry;
  });
  return Buffer.concat([
    int32(0x10000),
    int16(names.length, 128, 3, 16 * names.length - 128),
    ...directory,
    ...Object.values(tables).map(padded),
  ]);
}

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
export const fontFiles = (readInfo: (bytes: Uint8Array) => FontInfo): FontFile[] =>
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

interface FontPiece {
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
