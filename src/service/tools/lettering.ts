/** Fits names into logos, regardless of the viewer's fonts: widths, initials, and lines of similar length. */

const spaceWidth = 0.38;

/**
 * Widths of groups of characters relative to the font size, in the widest of the bold fonts that viewers fall back on.
 * In other fonts the text is narrower.
 */
const widths: readonly [RegExp, number][] = [
  [/[iljI.,:;'|! ]/, spaceWidth],
  [/[ftr()[\]\-/]/, 0.5],
  [/[mwMW@%&]/, 1.1],
  [/[A-ZÀÁÂÃÄÅÈÉÊËÒÓÔÕÖÙÚÛÜẸỌṢ<>+=]/, 0.84],
  [/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/, 1.05],
  [/\p{M}/u, 0],
  // Unjoined letters are wider than joined ones.
  [/\u200c/, 0.9],
  [/\p{Extended_Pictographic}/u, 1.3],
];
const defaultWidth = 0.72;

export const textWidth = (text: string): number =>
  [...text].reduce(
    (sum, character) => sum + (widths.find(([group]) => group.test(character))?.[1] ?? defaultWidth),
    0,
  );

/** Segmenter, created with the first logo because its creation is slow. */
let segmenter: Intl.Segmenter | undefined;

export function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** Maximum number of characters that are read. */
const maxNameCharacters = 1_000;

/** Collapses and trims white space. */
export const normaliseName = (name: string): string =>
  name
    .slice(0, maxNameCharacters)
    .normalize("NFC")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();

/** Maximum number of characters that are shown. Longer names would be too small to read. */
const maxShownCharacters = 60;

/** Truncates a name to what a logo can show. */
export function truncateName(name: string): string {
  const letters = graphemes(normaliseName(name));
  return letters.length <= maxShownCharacters
    ? letters.join("")
    : `${letters.slice(0, maxShownCharacters - 1).join("")}…`;
}

/** Words without an initial. */
const minorWords = new Set(["and", "of", "the", "for", "&", "+", "-"]);

/** Scripts whose letters join or run from right to left, which cannot be set letter by letter. */
const joiningScripts =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Mongolian}\p{Script=Hanifi_Rohingya}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}]/u;

export const isJoining = (text: string): boolean => joiningScripts.test(text);

/** Character that keeps adjacent letters from joining. */
const nonJoiner = "\u200c";

/** Returns one to three initials of the name. */
export function initials(name: string): string {
  const words = normaliseName(name).split(" ");
  const counted = words.filter((word) => !minorWords.has(word.toLowerCase()) && /[\p{L}\p{N}]/u.test(word));
  const chosen = (counted.length > 0 ? counted : words).slice(0, 3);
  const letters = chosen.map(
    (word) => graphemes(word.replace(/^[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/u, ""))[0] ?? "",
  );
  return letters.join(letters.some(isJoining) ? nonJoiner : "").toLocaleUpperCase("en");
}

/** Width, relative to the font size, up to which a text is one line, and two lines are readable. */
const [maxSingleWidth, maxDoubleWidth] = [7, 12];
const maxLines = 4;
/** Maximum number of characters of a word on one line. Longer words are broken. */
const maxWordCharacters = 16;

/**
 * Returns a short text as one line, and a longer one as two lines of similar width, or as up to four if those are too
 * wide.
 */
export function breakLines(text: string): string[] {
  if (textWidth(text) < maxSingleWidth) return [text];
  const double = balance(text.split(" "), 2);
  const isReadable = double.every((row) => textWidth(row) <= maxDoubleWidth);
  return isReadable ? double : balance(text.split(" ").flatMap(breakWord), maxLines);
}

function breakWord(word: string): string[] {
  const letters = graphemes(word);
  const parts = isJoining(word) ? 1 : Math.ceil(letters.length / maxWordCharacters);
  const length = Math.ceil(letters.length / parts);
  return Array.from({ length: parts }, (_, at) => letters.slice(at * length, (at + 1) * length).join(""));
}

/** Returns the words in at most `count` lines, of which the widest is as narrow as possible. */
function balance(words: readonly string[], count: number): string[] {
  const widthOf = new Map(words.map((word) => [word, textWidth(word)]));
  const fill = (maxWidth: number): string[] => {
    const rows: string[] = [];
    let left = 0;
    for (const word of words) {
      const width = widthOf.get(word) as number;
      if (rows.length > 0 && width + spaceWidth <= left) {
        rows.push(`${rows.pop()} ${word}`);
        left -= width + spaceWidth;
      } else {
        rows.push(word);
        left = maxWidth - width;
      }
    }
    return rows;
  };
  let width = Math.max(...widthOf.values());
  while (fill(width).length > count) width += spaceWidth / 2;
  return fill(width);
}

/** Returns the largest font size, up to `maxSize`, at which the text fits into `width`. */
export const fittingSize = (text: string, width: number, maxSize: number): number =>
  Math.min(maxSize, width / Math.max(textWidth(text), 0.3));
