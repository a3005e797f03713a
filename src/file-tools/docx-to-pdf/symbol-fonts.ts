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
