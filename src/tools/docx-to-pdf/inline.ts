/** Text in its style as pieces of a line. */
import { type Fonts, familyOf } from "./fonts.js";
import type { ImageNode, Inline } from "./nodes.js";
import { pictureLetter } from "./picture-line.js";
import type { RunStyle } from "./run-style.js";
import { readSymbols } from "./symbols.js";

const defaultSize = 10;

/** Of the size of a capital. */
const smallCapital = 0.8;
/** Small letters with their marks, and what lies between. */
const smallLetters = /(?:\p{Ll}\p{M}*)+|\P{Ll}+/gu;

/** Words in white for a dark shape must show on paper too. */
function readable(color: string, background: string | undefined): string {
  const isDark = background !== undefined && brightness(background) < 0.6;
  return !isDark && brightness(color) > 0.93 ? "#000000" : color;
}

function brightness(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return (red * 0.3 + green * 0.59 + blue * 0.11) / 255;
}

/** What all pieces of the run share. */
function lookOf(style: RunStyle, background: string | undefined): Omit<Inline, "text" | "font"> {
  const decoration = [
    ...(style.underline ? (["underline"] as const) : []),
    ...(style.strike ? (["lineThrough"] as const) : []),
  ];
  const { vertical, spacing } = style;
  return {
    fontSize: style.size ?? defaultSize,
    bold: style.bold ?? false,
    italics: style.italics ?? false,
    color: readable(style.color ?? "#000000", style.background ?? background),
    ...(style.background && style.background !== "#ffffff" ? { background: style.background } : {}),
    ...(decoration.length > 0 ? { decoration } : {}),
    ...(vertical === "sup" ? { sup: true } : {}),
    ...(vertical === "sub" ? { sub: true } : {}),
    ...(spacing ? { characterSpacing: Math.min(Math.max(spacing, -2), 20) } : {}),
  };
}

/** Pieces in fonts that have their letters; none where the style hides the text. */
export function toInlines(text: string, style: RunStyle, fonts: Fonts, background?: string): Inline[] {
  if (style.hidden || text === "") return [];
  const look = lookOf(style, background);
  const read = readSymbols(text, style.font);
  const shown = style.capitals ? read.toLocaleUpperCase("en") : read;
  const split = (part: string) => fonts.split(part, familyOf(style.font), look.bold, look.italics);
  if (!style.smallCapitals || style.capitals) return split(shown).map((piece) => ({ ...piece, ...look }));
  return (shown.match(smallLetters) ?? []).flatMap((part) => {
    const isSmall = /^\p{Ll}/u.test(part);
    const fontSize = isSmall ? look.fontSize * smallCapital : look.fontSize;
    const pieces = split(isSmall ? part.toLocaleUpperCase("en") : part);
    return pieces.map((piece) => ({ ...piece, ...look, fontSize }));
  });
}

/** A tab in the style around it, so that underlines go through. */
export const toTab = (style: RunStyle): Inline => ({
  ...lookOf(style, undefined),
  text: " ",
  font: familyOf(style.font),
  tab: true,
});

/** A picture in a line of the style's size. */
export const toPicture = (image: ImageNode, { size, font, color }: RunStyle): Inline => ({
  text: pictureLetter,
  font: familyOf(font),
  fontSize: size ?? defaultSize,
  bold: false,
  italics: false,
  color: color ?? "#000000",
  picture: image,
});
