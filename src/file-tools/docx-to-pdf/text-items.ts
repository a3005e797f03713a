/** Creates the items of text, with their looks. */
import { type Fonts, substituteFamily } from "./fonts.js";
import type { Item, Look, TextItem } from "./nodes.js";
import type { RunStyle } from "./styles.js";

/** Maps characters of symbol fonts to the Unicode characters that they look like. */
const wingdings: Readonly<Record<number, string>> = {
  40: "☎",
  42: "✉",
  74: "☺",
  108: "●",
  109: "○",
  110: "■",
  111: "□",
  113: "❑",
  116: "◆",
  117: "◆",
  118: "❖",
  119: "◆",
  158: "·",
  159: "•",
  167: "▪",
  168: "□",
  216: "➢",
  224: "→",
  232: "➔",
  240: "⇨",
  251: "✗",
  252: "✓",
  253: "☒",
  254: "☑",
};

const greekLetters = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const symbol: Readonly<Record<number, string>> = {
  ...Object.fromEntries([...greekLetters].map((letter, at) => [65 + at, letter])),
  ...Object.fromEntries([...greekLetters.toLowerCase()].map((letter, at) => [97 + at, letter])),
  163: "≤",
  165: "∞",
  174: "→",
  176: "°",
  177: "±",
  179: "≥",
  180: "×",
  183: "•",
  184: "÷",
  185: "≠",
  187: "≈",
  214: "√",
  229: "∑",
  242: "∫",
};

/** Replaces the characters of a symbol font, with or without the private-use offset 0xf000. Other text is unchanged. */
export function replaceSymbols(text: string, font: string | undefined): string {
  const isWingdings = /^wingdings|^webdings/i.test(font ?? "");
  const isSymbol = /^symbol/i.test(font ?? "");
  const table = isWingdings ? wingdings : isSymbol ? symbol : null;
  if (!table && !/[\uf020-\uf0ff]/.test(text)) return text;
  return [...text]
    .map((letter) => {
      const code = letter.codePointAt(0) as number;
      const isPrivate = code >= 0xf020 && code <= 0xf0ff;
      const own = isPrivate ? code - 0xf000 : code;
      if (!isPrivate && !table) return letter;
      if (own <= 32) return " ";
      return (table ?? symbol)[own] ?? (isWingdings || own > 126 ? "•" : String.fromCharCode(own));
    })
    .join("");
}

export const defaultFontSize = 10;

/** Size of a small capital, as a ratio of the font size. */
const smallCapitalRatio = 0.8;
/** Matches lower-case letters with their marks, and the text between them. */
const lowerCaseParts = /(?:\p{Ll}\p{M}*)+|\P{Ll}+/gu;

/** Width of wide letters, as a ratio of the font size. */
const wideLetterRatio = 0.7;

/** Turns near-white text black, unless its background is dark. It was meant for a shape that is not drawn. */
function legibleColor(color: string, background: string | undefined): string {
  const isDark = background !== undefined && brightness(background) < 0.6;
  return !isDark && brightness(color) > 0.93 ? "#000000" : color;
}

function brightness(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return (red * 0.3 + green * 0.59 + blue * 0.11) / 255;
}

/** Where text stands: the width of its lines, and the colour behind it. */
interface Place {
  width: number;
  background: string | undefined;
}

function toLook(style: RunStyle, background: string | undefined): Omit<Look, "font"> {
  const { vertical, spacing } = style;
  return {
    size: style.size ?? defaultFontSize,
    bold: style.bold ?? false,
    italics: style.italics ?? false,
    color: legibleColor(style.color ?? "#000000", style.background ?? background),
    background: style.background && style.background !== "#ffffff" ? style.background : null,
    underline: style.underline ?? false,
    strike: style.strike ?? false,
    vertical: vertical === "sup" || vertical === "sub" ? vertical : null,
    spacing: spacing ? Math.min(Math.max(spacing, -2), 20) : 0,
  };
}

export class TextItems {
  readonly looks: Look[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #fonts: Fonts;

  constructor(fonts: Fonts) {
    this.#fonts = fonts;
  }

  #numberOf(look: Look): number {
    const key = JSON.stringify(look);
    const known = this.#numbers.get(key) ?? this.looks.push(look) - 1;
    this.#numbers.set(key, known);
    return known;
  }

  /** Returns the number of the look of what is no text, such as a tab. */
  look(style: RunStyle, background?: string): number {
    const [piece] = this.#fonts.split(
      "0",
      substituteFamily(style.font),
      style.bold ?? false,
      style.italics ?? false,
    );
    return this.#numberOf({ ...toLook(style, background), font: piece?.font ?? "" });
  }

  /** Splits text into items by font, and at line breaks. Hidden text has none. */
  create(text: string, style: RunStyle, { width, background }: Place): Item[] {
    if (style.hidden || text === "") return [];
    const look = toLook(style, background);
    const read = replaceSymbols(text, style.font);
    const toItems = (part: string, size = look.size): TextItem[] =>
      this.#fonts.split(part, substituteFamily(style.font), look.bold, look.italics).map((piece) => ({
        kind: "text",
        look: this.#numberOf({ ...look, size, font: piece.font }),
        text: look.underline && /^ +$/.test(piece.text) ? piece.text.replaceAll(" ", "\u00a0") : piece.text,
        splits: hasWordWiderThan(piece.text, width / (size * wideLetterRatio)),
        link: null,
        target: null,
      }));
    const lines = (style.capitals ? read.toLocaleUpperCase("en") : read).split("\n");
    return lines.flatMap((line, at): Item[] => {
      const start: Item[] = at > 0 ? [{ kind: "break" }] : [];
      if (line === "") return start;
      if (!style.smallCapitals || style.capitals) return [...start, ...toItems(line)];
      const parts = line.match(lowerCaseParts) ?? [];
      const items = parts.flatMap((part) =>
        /^\p{Ll}/u.test(part)
          ? toItems(part.toLocaleUpperCase("en"), look.size * smallCapitalRatio)
          : toItems(part),
      );
      return [...start, ...items];
    });
  }
}

const hasWordWiderThan = (text: string, letters: number): boolean =>
  text.length > letters && text.split(/[\s\u00ad-]/).some(({ length }) => length > letters);
