/** Faces: words in the names of uploaded files that select the person who is shown. */
import { fold } from "../fold.js";
import { findTestWord } from "./reserved-values.js";

const maxFaceWords = 3;

/** Returns the face that a text names: "Ada Òbí" is "ada-obi". Empty if it has no letter or digit. */
export const toFace = (text: string): string => fold(text).replaceAll(" ", "-");

/** Further characters of a name do not count for its face. */
const maxNameCharacters = 40;

/** Returns the first word of a name: "Abdul-Rahman" is "abdul". */
export const firstWord = (name: string): string => fold(name.slice(0, maxNameCharacters)).split(" ")[0] ?? "";

/** Returns what is wrong with a chosen face, as the end of "face …", or null. */
export function describeFaceProblem(text: string): string | null {
  const face = toFace(text);
  if (face === "") return "must contain a letter or digit";
  if (face.split("-").length > maxFaceWords) return `must have at most ${maxFaceWords} words`;
  const word = findTestWord(face);
  return word && `must not contain ${word}, a test value that selects an outcome in any file name`;
}

/** Returns a face that is not taken: "ada", otherwise "ada-obi", otherwise "ada-obi-" and the result of `digits`. */
export function freeFace(
  first: string,
  last: string,
  isTaken: (face: string) => boolean,
  digits: () => string,
): string {
  const names = [firstWord(first), [firstWord(first), firstWord(last)].filter(Boolean).join("-")];
  const stems = names.filter((name) => name !== "" && findTestWord(name) === null);
  const free = stems.find((face) => !isTaken(face));
  if (free !== undefined) return free;
  for (;;) {
    const face = `${stems.at(-1) ?? "person"}-${digits()}`;
    if (!isTaken(face)) return face;
  }
}

/** Returns every run of one to three words of a file name, joined by hyphens, longest first. */
export function facesIn(filename: string): string[] {
  const words = fold(filename.slice(0, maxFileNameCharacters)).split(" ").filter(Boolean);
  const runs = words.flatMap((_, start) =>
    Array.from({ length: Math.min(maxFaceWords, words.length - start) }, (_, more) =>
      words.slice(start, start + more + 1).join("-"),
    ),
  );
  return runs.sort((a, b) => b.length - a.length);
}

/** Longest file name that common file systems allow. */
const maxFileNameCharacters = 255;
