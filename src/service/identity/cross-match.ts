/** Compares submitted details with a person; assumption lookup.match. */
import type { Person } from "../people/person.js";
import { nameSimilarity } from "./name-similarity.js";

export interface Submitted {
  first_name?: string | undefined;
  last_name?: string | undefined;
  /** YYYY-MM-DD. */
  date_of_birth?: string | undefined;
}

/** Lowest scores of a match and of a partial match. */
export const matchScore = 80;
export const partialMatchScore = 50;

const weights = { name: 0.7, birth: 0.3 } as const;

/** Returns how well the details agree with the person, 0 to 100. Without any details it is 100. */
export function crossMatch(person: Person, submitted: Submitted): number {
  const name = nameScore(person, submitted);
  const { date_of_birth } = submitted;
  if (date_of_birth === undefined) return name ?? 100;
  const birth = date_of_birth === person.date_of_birth ? 100 : 0;
  return name === null ? birth : Math.round(weights.name * name + weights.birth * birth);
}

/** Returns the similarity of the names. The middle name may be missing, and first and last name may be swapped. */
function nameScore({ first_name, middle_name, last_name }: Person, submitted: Submitted): number | null {
  const given = submitted.first_name?.trim() || null;
  const family = submitted.last_name?.trim() || null;
  const middle = middle_name ?? "";
  if (given && family)
    return bestSimilarity(`${given} ${family}`, [
      `${first_name} ${last_name}`,
      `${first_name} ${middle} ${last_name}`,
    ]);
  if (given) return bestSimilarity(given, [first_name, `${first_name} ${middle}`]);
  return family ? bestSimilarity(family, [last_name]) : null;
}

const bestSimilarity = (name: string, candidates: readonly string[]): number =>
  Math.max(...candidates.map((candidate) => nameSimilarity(name, candidate)));
