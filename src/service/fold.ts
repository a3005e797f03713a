/** Letters that NFD does not split into a base letter and marks: Hausa ɓ ɗ ƙ ƴ, old Yorùbá and Igbo forms. */
const baseLetters: Readonly<Record<string, string>> = {
  ɓ: "b",
  ɗ: "d",
  ƙ: "k",
  ƴ: "y",
  ŋ: "n",
  ø: "o",
  ß: "ss",
};

/** Returns the words of a text in lower case, without diacritics and punctuation: "Adébáyọ̀-Òjó" is "adebayo ojo". */
export const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}|['’‘ʼ`]/gu, "")
    .toLowerCase()
    .replace(/[ɓɗƙƴŋøß]/g, (letter) => baseLetters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
