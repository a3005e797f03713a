/** Creates inlines, the styled pieces of a line. */
import { type Fonts, substituteFamily } from "./fonts.js";
import type { ImageNode, Inline } from "./nodes.js";
import { pictureLetter } from "./picture-line.js";
import type { RunStyle } from "./run-style.js";
import { replaceSymbols } from "./symbol-fonts.js";

const defaultFontSize = 10;

/** Size of a small capital, as a ratio of the font size. */
const smallCapitalRatio = 0.8;
/** Matches lower-case letters with their marks, and the text between them. */
const lowerCaseParts = /(?:\p{Ll}\p{M}*)+|\P{Ll}+/gu;

/** Turns near-white text black, unless its background is dark. It was meant for a shape that is not drawn. */
function legibleColor(color: string, background: string | undefined): string {
  const isDark = background !== undefined && brightness(background) < 0.6;
  return !isDark && brightness(color) > 0.93 ? "#000000" : color;
}

function brightness(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return (red * 0.3 + green * 0.59 + blue * 0.11) / 255;
}

/** Returns the properties that all inlines of a run share. */
function inlineStyle(style: RunStyle, background: string | undefined): Omit<Inline, "text" | "font"> {
  const decoration = [
    ...(style.underline ? (["underline"] as const) : []),
    ...(style.strike ? (["lineThrough"] as const) : []),
  ];
  const { vertical, spacing } = style;
  return {
    fontSize: style.size ?? defaultFontSize,
    bold: style.bold ?? false,
    italics: style.italics ?? false,
    color: legibleColor(style.color ?? "#000000", style.background ?? background),
    ...(style.background && style.background !== "#ffffff" ? { background: style.background } : {}),
    ...(decoration.length > 0 ? { decoration } : {}),
    ...(vertical === "sup" ? { sup: true } : {}),
    ...(vertical === "sub" ? { sub: true } : {}),
    ...(spacing ? { characterSpacing: Math.min(Math.max(spacing, -2), 20) } : {}),
  };
}

/** Splits text into inlines by font. Hidden text has none. */
export function toInlines(text: string, style: RunStyle, fonts: Fonts, background?: string): Inline[] {
  if (style.hidden || text === "") return [];
  const look = inlineStyle(style, background);
  const read = replaceSymbols(text, style.font);
  const shown = style.capitals ? read.toLocaleUpperCase("en") : read;
  const split = (part: string) => fonts.split(part, substituteFamily(style.font), look.bold, look.italics);
  if (!style.smallCapitals || style.capitals) return split(shown).map((piece) => ({ ...piece, ...look }));
  return (shown.match(lowerCaseParts) ?? []).flatMap((part) => {
    const isSmall = /^\p{Ll}/u.test(part);
    const fontSize = isSmall ? look.fontSize * smallCapitalRatio : look.fontSize;
    const pieces = split(isSmall ? part.toLocaleUpperCase("en") : part);
    return pieces.map((piece) => ({ ...piece, ...look, fontSize }));
  });
}

/** Creates a tab in the style of its run, so that an underline continues through it. */
export const toTab = (style: RunStyle): Inline => ({
  ...inlineStyle(style, undefined),
  text: " ",
  font: substituteFamily(style.font),
  tab: true,
});

/** Creates an inline picture. */
export const toPicture = (image: ImageNode, { size, font, color }: RunStyle): Inline => ({
  text: pictureLetter,
  font: substituteFamily(font),
  fontSize: size ?? defaultFontSize,
  bold: false,
  italics: false,
  color: color ?? "#000000",
  picture: image,
});
