/** Suggestions for mistyped names. */
import { distance } from "fastest-levenshtein";

export interface NearestOptions {
  /** Maximum number of names. Default 1. */
  limit?: number;
  /** Maximum edit distance. Default: a third of the longer word's length, at least 2, or any if one begins with the other. */
  maxDistance?: number;
}

/** Minimum length of a name that counts as close to every longer name that begins with it. */
const minPrefixLength = 3;

/** Returns whether one name begins with the other, as `phone_number` with `phone`. */
function isBeginning(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= minPrefixLength && long.startsWith(short);
}

/**
 * Returns the known names that are close to `word`, nearest first: names that are few edits away, or of which one
 * begins with the other. Names of equal distance keep their order.
 */
export function nearestNames(
  word: string,
  known: readonly string[],
  { limit = 1, maxDistance }: NearestOptions = {},
): string[] {
  const isClose = (name: string, edits: number): boolean =>
    edits <= (maxDistance ?? Math.max(2, Math.floor(Math.max(word.length, name.length) / 3))) ||
    (maxDistance === undefined && isBeginning(word, name));
  return known
    .map((name) => ({ name, edits: distance(word, name) }))
    .filter(({ name, edits }) => isClose(name, edits))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** Formats a suggestion to append to an error message: `; the nearest is payout.paid`. Empty if no name is close. */
export function formatNearest(word: string, known: readonly string[], options: NearestOptions = {}): string {
  const names = nearestNames(word, known, options);
  if (names.length === 0) return "";
  return names.length === 1 ? `; the nearest is ${names[0]}` : `; the nearest are ${names.join(", ")}`;
}
