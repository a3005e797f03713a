/** Writes text as Typst code, in the fonts and styles of its runs. Lengths are points. */
import { type FontFile, familyOf, readCoverage, splitByFamily } from "./fonts.js";
import { placeholderName } from "./placeholder-font.js";
import type { RunStyle } from "./styles.js";

/**
 * Quotes a text for Typst. No other part of a document reaches the code, except for numbers, colours and names that are
 * created here.
 */
export const quote = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

export const points = (value: number): string => `${Math.round(value * 100) / 100}pt`;

/** Characters of Wingdings, each followed by the Unicode character that it looks like. */
const wingdings =
  "l●m○n■o□q❑t◆u◆v❖w◆(☎*✉J☺\u009f•\u00a7▪\u00a8□\u00d8➢\u00e0→\u00e8➔\u00f0⇨\u00fb✗\u00fc✓\u00fd☒\u00fe☑";
const symbols =
  "AΑBΒCΧDΔEΕFΦGΓHΗIΙJϑKΚLΛMΜNΝOΟPΠQΘRΡSΣTΤUΥVςWΩXΞYΨZΖaαbβcχdδeεfφgγhηiιjϕkκlλmμnνoοpπqθrρsσtτuυvϖwωxξyψzζ" +
  "\u00a3≤\u00a5∞\u00ae→\u00b0°\u00b1±\u00b3≥\u00b4×\u00b7•\u00b8÷\u00b9≠\u00bb≈\u00d6√\u00e5∑\u00f2∫";
const pairsOf = (text: string): Map<string, string> =>
  new Map(text.match(/../gu)?.map(([one = "", other = ""]) => [one, other]));
const symbolFonts = [
  { name: /^wingdings|^webdings/i, characters: pairsOf(wingdings) },
  { name: /^symbol/i, characters: pairsOf(symbols) },
];

/** Replaces the characters of a symbol font, with or without the private-use offset 0xf000. Other text is unchanged. */
export function replaceSymbols(text: string, font = ""): string {
  const characters = symbolFonts.find(({ name }) => name.test(font))?.characters;
  return text.replace(characters ? /./gsu : /[\uf020-\uf0ff]/g, (letter) => {
    const own = letter.replace(/[\uf020-\uf0ff]/, (symbol) =>
      String.fromCharCode(symbol.charCodeAt(0) - 0xf000),
    );
    return (characters ?? symbolFonts[1]?.characters)?.get(own) ?? (/^[\x20-\x7e]$/.test(own) ? own : "•");
  });
}

export const defaultFontSize = 10;

/** Width of wide letters, as a ratio of the font size. */
const wideLetterRatio = 0.7;

function brightness(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return (red * 0.3 + green * 0.59 + blue * 0.11) / 255;
}

/** Returns black for near-white text, unless its background is dark: it was meant for a shape that is not drawn. */
function legibleColor(color: string, background: string | undefined): string {
  const isDark = background !== undefined && brightness(background) < 0.6;
  return !isDark && brightness(color) > 0.93 ? "#000000" : color;
}

/** A piece of text in one style. `look` is the name of the function that draws it. */
export interface StyledText {
  look: string;
  text: string;
  /** Font size. */
  size: number;
}

/** Matches control characters, halves of surrogate pairs, soft hyphens, zero-width and directional characters. */
const invisibleCharacters = /[\p{Cc}\p{Cs}\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

export class TextWriter {
  readonly #coverage: ReturnType<typeof readCoverage>;
  /** Characters that no font has. */
  readonly missing = new Set<string>();
  /** Names of functions by their definitions. */
  readonly #looks = new Map<string, string>();

  constructor(fonts: readonly FontFile[]) {
    this.#coverage = readCoverage(fonts);
  }

  /** The definitions of the functions that draw text. */
  get definitions(): string {
    return [...this.#looks].map(([definition, name]) => `#let ${name} = ${definition}\n`).join("");
  }

  /** Splits text by font. Hidden text has no pieces. */
  write(text: string, style: RunStyle, background: string | undefined): StyledText[] {
    if (style.hidden || text === "") return [];
    const read = replaceSymbols(text, style.font).normalize("NFC").replace(invisibleCharacters, "");
    const shown = style.capitals ? read.toLocaleUpperCase("en") : read;
    return splitByFamily(shown, style.font, this.#coverage).map(({ text: piece, family }) => {
      if (family === null) for (const character of piece) this.missing.add(character);
      return {
        look: this.lookOf(style, background, family),
        text: style.underline && /^ +$/.test(piece) ? piece.replaceAll(" ", "\u00a0") : piece,
        size: style.size ?? defaultFontSize,
      };
    });
  }

  /** Returns the name of the function that draws text, or a computed value such as a page number, in a style. */
  lookOf(
    style: RunStyle,
    background: string | undefined,
    family: string | null = familyOf(style.font).name,
  ): string {
    const { size = defaultFontSize, vertical } = style;
    const color = legibleColor(style.color ?? "#000000", style.background ?? background);
    const shape = [
      // The weight is always set, because Typst has bold headings.
      `font: ${quote(family ?? placeholderName)}, size: ${points(size)}, weight: "${style.bold ? "bold" : "regular"}"`,
      // Keeps the order of letters in scripts that the fonts do not have.
      ...(family === null ? ['script: "latn"'] : []),
      ...(style.italics ? [`style: "italic"`] : []),
      ...(color === "#000000" ? [] : [`fill: rgb("${color}")`]),
    ].join(", ");
    let body = "body";
    if (vertical === "super" || vertical === "sub") body = `${vertical}(typographic: false, ${body})`;
    if (style.underline) body = `underline(${body})`;
    if (style.strike) body = `strike(${body})`;
    if (style.background && style.background !== "#ffffff")
      body = `highlight(fill: rgb("${style.background}"), top-edge: "ascender", bottom-edge: "descender", ${body})`;
    // Typst caches the results of functions written in Typst, but not of its built-in functions.
    const definition = body === "body" ? `text.with(${shape})` : `body => text(${shape}, ${body})`;
    const name = this.#looks.get(definition) ?? `look-${this.#looks.size + 1}`;
    this.#looks.set(definition, name);
    return name;
  }
}

/** Estimates the widths of a text's words. A line can break between them. */
export const wordWidths = ({ text, size }: StyledText): number[] =>
  text.split(/[\s\u00ad-]/).map((word) => word.length * size * wideLetterRatio);

/** Writes text in its style, in which only words that are wider than the lines can break anywhere. */
export function writeText({ look, text, size }: StyledText, lineWidth: number): string {
  const letters = Math.max(1, Math.floor(lineWidth / (size * wideLetterRatio)));
  // Only words with more letters are measured.
  const parts = text.split(new RegExp(`([^\\s\\u00ad-]{${letters + 1},})`));
  const written = parts.map((part, at) =>
    at % 2 === 1 ? `split(${quote(part)}, ${points(lineWidth)})` : quote(part),
  );
  return `${look}(${written.length > 1 ? `{ ${written.join("; ")} }` : written[0]})`;
}
