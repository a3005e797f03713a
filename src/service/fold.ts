/** Letters that are not a base letter with marks, so that NFD leaves them alone: Hausa ɓ ɗ ƙ ƴ, old Yorùbá and Igbo forms. */
const letters: Readonly<Record<string, string>> = { ɓ: "b", ɗ: "d", ƙ: "k", ƴ: "y", ŋ: "n", ø: "o", ß: "ss" };

/** Lower-case words without diacritics and punctuation, one space between: "Adébáyọ̀-Òjó" is "adebayo ojo". */
export const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}|['’‘ʼ`]/gu, "")
    .toLowerCase()
    .replace(/[ɓɗƙƴŋøß]/g, (letter) => letters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
