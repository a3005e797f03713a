/** How well what was submitted agrees with a person, 0 to 100; assumption lookup.match. */
import type { Person } from "../people/person.js";
import { similarity } from "./name-similarity.js";

export interface Submitted {
  first_name?: string | undefined;
  last_name?: string | undefined;
  /** YYYY-MM-DD. */
  date_of_birth?: string | undefined;
}

/** From here on a lookup is a match, from the lower one a partial match. */
export const matchFrom = 80;
export const partialFrom = 50;

const weights = { name: 0.7, birth: 0.3 } as const;

/** Nothing submitted contradicts nothing: 100. */
export function crossMatch(person: Person, submitted: Submitted): number {
  const name = nameScore(person, submitted);
  const { date_of_birth } = submitted;
  if (date_of_birth === undefined) return name ?? 100;
  const birth = date_of_birth === person.date_of_birth ? 100 : 0;
  return name === null ? birth : Math.round(weights.name * name + weights.birth * birth);
}

/** Middle names may be left out, and both names may stand in each other's place. */
function nameScore({ first_name, middle_name, last_name }: Person, submitted: Submitted): number | null {
  const given = submitted.first_name?.trim() || null;
  const family = submitted.last_name?.trim() || null;
  const middle = middle_name ?? "";
  if (given && family)
    return best(`${given} ${family}`, [`${first_name} ${last_name}`, `${first_name} ${middle} ${last_name}`]);
  if (given) return best(given, [first_name, `${first_name} ${middle}`]);
  return family ? best(family, [last_name]) : null;
}

const best = (name: string, candidates: readonly string[]): number =>
  Math.max(...candidates.map((candidate) => similarity(name, candidate)));
