import { fold } from "../fold.js";

/** Forms of address. "Prince" may also be a name, so titles are dropped only if two names remain. */
const titles = new Set(
  "mr mrs ms miss master madam dr prof professor engr arc barr barrister chief alhaji alhaja hajiya hajia mallam malam otunba prince princess oba sir lady rev reverend pastor hon senator".split(
    " ",
  ),
);

/** Limits of a comparison. Further names and letters are ignored. */
const maxNames = 6;
const maxLetters = 40;

/** Agreement of an initial with a name. */
const initialAgreement = 0.85;
/** Agreement of a name with its beginning or end: Seun and Oluwaseun, Ngozi and Ngozichukwu. */
const shortFormAgreement = 0.85;
/** Names that agree less than this count as unrelated. */
const minAgreement = 0.5;

const penalties = { missing: 5, missingFromSingle: 40, contradiction: 10 };

/**
 * Returns how similar two personal names are, 0 to 100, in either order.
 *
 * - Case, diacritics, punctuation, hyphens, spaces, titles (Mr, Chief, Alhaji, Engr …) and the order of the names are
 *   ignored. The score is 100 if nothing else differs, and only then.
 * - Otherwise each name of the shorter side is paired with one of the longer side so that the pairs agree best. The score
 *   is the mean agreement: 1 for equal names, 0.85 for an initial or a short form, otherwise 1 − 2 × (1 − Jaro-Winkler),
 *   or 0 below 0.5.
 * - A pair that does not agree at all costs 10 more points, a name that only one side has costs 5. If one side is a
 *   single name, the first missing name costs 40.
 *
 * A different spelling, an initial or a missing middle name gives about 85 to 95, a shared family name alone gives 40.
 */
export function nameSimilarity(a: string, b: string): number {
  const [shorter = [], longer = []] = [namesIn(a), namesIn(b)].sort(
    (a, b) => a.length - b.length || (a.join(" ") < b.join(" ") ? -1 : 1),
  );
  if (shorter.length === 0) return 0;
  if (isSameName(shorter, longer)) return 100;
  const pairs = bestPairs(shorter, longer);
  const missing = longer.length - shorter.length;
  const singleNamePenalty =
    shorter.length === 1 && missing > 0 ? penalties.missingFromSingle - penalties.missing : 0;
  const score =
    (100 * sum(pairs)) / pairs.length -
    penalties.contradiction * pairs.filter((pair) => pair === 0).length -
    penalties.missing * missing -
    singleNamePenalty;
  return Math.max(0, Math.min(99, Math.round(score)));
}

function namesIn(text: string): string[] {
  const words = fold(text)
    .split(" ")
    .filter(Boolean)
    .map((word) => word.slice(0, maxLetters));
  const names = words.filter((word) => !titles.has(word));
  return (names.length >= 2 ? names : words).slice(0, maxNames);
}

const isSameName = (a: readonly string[], b: readonly string[]): boolean =>
  a.join("") === b.join("") || [...a].sort().join(" ") === [...b].sort().join(" ");

/** Returns the agreement of each name of `shorter` with its partner, under the pairing with the largest sum. */
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
  const [short = "", long = ""] = [a, b].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  if (short.length === 1) return long.startsWith(short) ? initialAgreement : 0;
  const spelling = 1 - 2 * (1 - jaroWinkler(short, long));
  const shortForm =
    short.length >= 4 && (long.startsWith(short) || long.endsWith(short)) ? shortFormAgreement : 0;
  const best = Math.max(spelling, shortForm);
  return best < minAgreement ? 0 : best;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
/** Returns the Jaro-Winkler similarity of two words, 0 to 1. A common prefix counts more. */
function jaroWinkler(a: string, b: string): number {
  const jaro = jaroSimilarity(a, b);
  let prefix = 0;
  while (prefix < 4 && a[prefix] !== undefined && a[prefix] === b[prefix]) prefix++;
  return jaro + prefix * 0.1 * (1 - jaro);
}

function jaroSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Set<number>();
  const matchesOfA = [...a].filter((letter, at) => {
    for (let other = Math.max(0, at - reach); other <= Math.min(b.length - 1, at + reach); other++) {
      if (b[other] === letter && !taken.has(other)) return taken.add(other);
    }
    return false;
  });
  const matchesOfB = [...b].filter((_, at) => taken.has(at));
  const count = matchesOfA.length;
  if (count === 0) return 0;
  const transposed = matchesOfA.filter((letter, at) => letter !== matchesOfB[at]).length / 2;
  return (count / a.length + count / b.length + (count - transposed) / count) / 3;
}
