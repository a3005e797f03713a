/**
 * The fonts of the PDF, all openly licensed. Arimo, Tinos, Cousine and Carlito have the metrics of Arial, Times New
 * Roman, Courier New and Calibri, so that lines and pages break in the same places. DejaVu Sans adds symbols and scripts.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export type Family = "sans" | "serif" | "mono" | "calibri" | "fallback";

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

/** What Typst reads in a font file. */
interface FontInfo {
  /** Numbers of code points in turn without and with a glyph. */
  info: readonly { coverage: readonly number[] }[];
}

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

/** Reads all fonts. `readInfo` describes a font file to Typst. */
export const fontFiles = (readInfo: (bytes: Uint8Array) => FontInfo): FontFile[] =>
  families.flatMap(({ family, name, packageName }) => {
    const folder = dirname(require.resolve(`${packageName}/package.json`));
    return styles.map(({ bold, italics, google, dejavu }) => {
      const path =
        family === "fallback"
          ? join(folder, "ttf", `DejaVuSans${dejavu}.ttf`)
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
