/** The word that was probably meant. */
import { closest, distance } from "fastest-levenshtein";

/** `; the nearest is …`, or nothing where no word is near: a far one would lead astray. */
export function sayNearest(word: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const found = closest(word, known);
  const far = Math.max(2, Math.floor(Math.max(word.length, found.length) / 3));
  return distance(word, found) <= far ? `; the nearest is ${found}` : "";
}
