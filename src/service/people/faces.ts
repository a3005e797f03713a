/** Faces stand for people in the names of uploaded files. */
import { fold } from "../fold.js";
import { testWordIn } from "./reserved-values.js";

/** A look-up tries every run of so many words of a file name. */
export const mostWords = 3;

/** "Ada Òbí" is "ada-obi"; empty where there is neither letter nor digit. */
export const toFace = (text: string): string => fold(text).replaceAll(" ", "-");

/** Characters of a name that count for its face. */
const longestName = 40;

/** "Abdul-Rahman" is "abdul". */
export const firstWord = (name: string): string => fold(name.slice(0, longestName)).split(" ")[0] ?? "";

/** What is wrong with a face that somebody chose; null: nothing. */
export function faceProblem(text: string): string | null {
  const face = toFace(text);
  if (face === "") return "must have a letter or digit";
  if (face.split("-").length > mostWords) return `must have at most ${mostWords} words`;
  const word = testWordIn(face);
  return word && `must not contain ${word}, which asks for an outcome wherever it stands in a file name`;
}

/** A face for these names that `isTaken` does not know: "ada", else "ada-obi", else "ada-obi-" and what `digits` gives. */
export function freeFace(
  first: string,
  last: string,
  isTaken: (face: string) => boolean,
  digits: () => string,
): string {
  const names = [firstWord(first), [firstWord(first), firstWord(last)].filter(Boolean).join("-")];
  const stems = names.filter((name) => name !== "" && testWordIn(name) === null);
  const free = stems.find((face) => !isTaken(face));
  if (free !== undefined) return free;
  for (;;) {
    const face = `${stems.at(-1) ?? "person"}-${digits()}`;
    if (!isTaken(face)) return face;
  }
}

/** Every run of one to three words of a file name, joined by hyphens, the longest first. */
export function facesIn(filename: string): string[] {
  const words = fold(filename.slice(0, longestFileName)).split(" ").filter(Boolean);
  const runs = words.flatMap((_, start) =>
    Array.from({ length: Math.min(mostWords, words.length - start) }, (_, more) =>
      words.slice(start, start + more + 1).join("-"),
    ),
  );
  return runs.sort((a, b) => b.length - a.length);
}

/** No file system has longer ones. */
const longestFileName = 255;
