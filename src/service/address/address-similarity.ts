/** How alike two written addresses are, 0 to 100: the house 30, the street 40, the town 30. */
import { distance } from "fastest-levenshtein";
import { fold } from "../fold.js";
import type { AddressReading } from "./parse-address.js";

const weights = { house: 30, street: 40, town: 30 } as const;

/** Longer texts are compared by their beginnings. */
const longest = 200;

/** A part that neither names agrees; one that only one side names agrees by half. */
export function addressSimilarity(a: AddressReading, b: AddressReading): number {
  if (a.town === null || b.town === null) return Math.round(100 * alike(a.formatted, b.formatted));
  const street = part(a.street, b.street, alike);
  return Math.round(
    weights.house * part(a.house, b.house, same) +
      weights.street * street +
      weights.town * same(a.town, b.town),
  );
}

const part = (a: string | null, b: string | null, compare: (a: string, b: string) => number): number =>
  a === null || b === null ? (a === b ? 1 : 0.5) : compare(a, b);

const same = (a: string, b: string): number => (fold(a) === fold(b) ? 1 : 0);

function alike(a: string, b: string): number {
  const [one, other] = [fold(a).slice(0, longest), fold(b).slice(0, longest)];
  const length = Math.max(one.length, other.length);
  return length === 0 ? 1 : 1 - distance(one, other) / length;
}
