/** Formats list numbers. */

const romanNumerals = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
] as const;

function formatRoman(value: number): string {
  if (value > 4_999) return String(value);
  let text = "";
  let left = value;
  for (const [amount, letters] of romanNumerals)
    while (left >= amount) {
      text += letters;
      left -= amount;
    }
  return text;
}

/** Returns a to z, then aa, bb, cc. */
const formatLetters = (value: number): string =>
  String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(9, Math.ceil(value / 26)));

const endings: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

const formats: Readonly<Record<string, (value: number) => string>> = {
  lowerLetter: formatLetters,
  upperLetter: (value) => formatLetters(value).toUpperCase(),
  lowerRoman: formatRoman,
  upperRoman: (value) => formatRoman(value).toUpperCase(),
  decimalZero: (value) => String(value).padStart(2, "0"),
  ordinal: (value) => `${value}${endings[ordinals.select(value)] ?? ""}`,
  none: () => "",
};

export const formatListNumber = (value: number, format: string): string =>
  value < 1 ? String(value) : (formats[format]?.(value) ?? String(value));
