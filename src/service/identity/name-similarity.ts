import { fold } from "../fold.js";
import { jaroWinkler } from "./jaro-winkler.js";

/** Forms of address; "Prince" may also be a name, so two names must be left when they go. */
const titles = new Set(
  "mr mrs ms miss master madam dr prof professor engr arc barr barrister chief alhaji alhaja hajiya hajia mallam malam otunba prince princess oba sir lady rev reverend pastor hon senator".split(
    " ",
  ),
);

/** Names beyond the sixth and letters beyond the fortieth are not looked at. */
const mostNames = 6;
const mostLetters = 40;

/** An initial that fits its name. */
const initialFits = 0.85;
/** A short form that begins or ends its name: Seun and Oluwaseun, Ngozi and Ngozichukwu. */
const shortFormFits = 0.85;
/** Names less alike than this have nothing to do with each other. */
const leastAlike = 0.5;

const points = { missing: 5, missingOfOne: 40, contradiction: 10 };

/**
 * How alike two names of persons are, 0 to 100; the same both ways round.
 *
 * - Case, diacritics, punctuation, hyphens, spaces, titles (Mr, Chief, Alhaji, Engr …) and the order of the names do not
 *   count: where nothing else differs it is 100, and only then.
 * - Otherwise each name of the shorter one is paired with one of the longer, so that the pairs agree best, and the pairs'
 *   mean counts: 1 the same, 0.85 an initial or a short form, else 1 − 2 × (1 − Jaro-Winkler), below 0.5 nothing.
 * - Each pair that does not agree at all costs 10 points more, each name that only one side has 5; where one side gives
 *   a single name, the first missing costs 40.
 *
 * A different spelling, an initial or a missing middle name gives about 85 to 95; a shared family name alone, 40.
 */
export function similarity(a: string, b: string): number {
  const [shorter = [], longer = []] = [namesIn(a), namesIn(b)].sort(
    (one, other) => one.length - other.length || (one.join(" ") < other.join(" ") ? -1 : 1),
  );
  if (shorter.length === 0) return 0;
  if (same(shorter, longer)) return 100;
  const pairs = bestPairs(shorter, longer);
  const missing = longer.length - shorter.length;
  const lone = shorter.length === 1 && missing > 0 ? points.missingOfOne - points.missing : 0;
  const score =
    (100 * sum(pairs)) / pairs.length -
    points.contradiction * pairs.filter((pair) => pair === 0).length -
    points.missing * missing -
    lone;
  return Math.max(0, Math.min(99, Math.round(score)));
}

function namesIn(text: string): string[] {
  const words = fold(text)
    .split(" ")
    .filter(Boolean)
    .map((word) => word.slice(0, mostLetters));
  const names = words.filter((word) => !titles.has(word));
  return (names.length >= 2 ? names : words).slice(0, mostNames);
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.join("") === b.join("") || [...a].sort().join(" ") === [...b].sort().join(" ");

/** The agreement of each name of `shorter` with its partner, under the pairing of the largest sum. */
function bestPairs(shorter: readonly string[], longer: readonly string[]): number[] {
  const [name, ...others] = shorter;
  if (name === undefined) return [];
  const pairings = longer.map((partner, at) => [
    agreement(name, partner),
    ...bestPairs(others, longer.toSpliced(at, 1)),
  ]);
  return pairings.reduce((best, pairs) => (sum(pairs) > sum(best) ? pairs : best));
}

function agreement(a: string, b: string): number {
  if (a === b) return 1;
  const [short = "", long = ""] = [a, b].sort(
    (one, other) => one.length - other.length || (one < other ? -1 : 1),
  );
  if (short.length === 1) return long.startsWith(short) ? initialFits : 0;
  const alike = 1 - 2 * (1 - jaroWinkler(short, long));
  const shortForm = short.length >= 4 && (long.startsWith(short) || long.endsWith(short)) ? shortFormFits : 0;
  const best = Math.max(alike, shortForm);
  return best < leastAlike ? 0 : best;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
