/** Suggestions for mistyped names. */
import { distance } from "fastest-levenshtein";

export interface NearestOptions {
  /** Maximum number of names. Default 1. */
  limit?: number;
  /** Maximum edit distance. Default: a third of the longer word's length, at least 2. */
  maxDistance?: number;
}

/** Returns the known names that are close to `word`, nearest first. Names of equal distance keep their order. */
export function nearestNames(
  word: string,
  known: readonly string[],
  { limit = 1, maxDistance }: NearestOptions = {},
): string[] {
  const isClose = (name: string, edits: number): boolean =>
    edits <= (maxDistance ?? Math.max(2, Math.floor(Math.max(word.length, name.length) / 3)));
  return known
    .map((name) => ({ name, edits: distance(word, name) }))
    .filter(({ name, edits }) => isClose(name, edits))
    .sort((one, other) => one.edits - other.edits)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Formats a suggestion to append to an error message: `; the nearest is payout.paid`. Empty if no name is close. */
export function formatNearest(word: string, known: readonly string[], options: NearestOptions = {}): string {
  const names = nearestNames(word, known, options);
  if (names.length === 0) return "";
  return names.length === 1 ? `; the nearest is ${names[0]}` : `; the nearest are ${names.join(", ")}`;
}
