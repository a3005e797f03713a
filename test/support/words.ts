/** Counts the words of a text that another text keeps. */

const unspaced = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]";
const word = new RegExp(`${unspaced}|(?:(?!${unspaced})[\\p{L}\\p{M}])+|\\p{N}+`, "gu");

/** Splits letters from numbers, because the mark of a note directly follows a word, and scripts without spaces by letter. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKC")
    .replaceAll("\u00ad", "")
    .replace(/-\s*\n\s*/g, "")
    .toLowerCase()
    .match(word) ?? [];

/** Returns the share of the wanted words that are found, each as often as it is wanted. */
export function shareKept(wanted: readonly string[], found: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  let kept = 0;
  for (const word of wanted) {
    const count = left.get(word) ?? 0;
    if (count > 0) kept++;
    left.set(word, count - 1);
  }
  return wanted.length === 0 ? 1 : kept / wanted.length;
}
