/** Compares two addresses. */
import { distance } from "fastest-levenshtein";
import { fold } from "../fold.js";
import type { AddressReading } from "./parse-address.js";

const weights = { house: 30, street: 40, town: 30 } as const;

/** Longer texts are compared by their beginnings. */
const maxComparedCharacters = 200;

/**
 * Returns how similar two addresses are, 0 to 100. A part missing from both addresses counts as a match; a part
 * missing from one of them counts as half a match.
 */
export function addressSimilarity(a: AddressReading, b: AddressReading): number {
  if (a.town === null || b.town === null)
    return Math.round(100 * spellingSimilarity(a.formatted, b.formatted));
  const street = part(a.street, b.street, spellingSimilarity);
  return Math.round(
    weights.house * part(a.house, b.house, same) +
      weights.street * street +
      weights.town * same(a.town, b.town),
  );
}

const part = (a: string | null, b: string | null, compare: (a: string, b: string) => number): number =>
  a === null || b === null ? (a === b ? 1 : 0.5) : compare(a, b);

const same = (a: string, b: string): number => (fold(a) === fold(b) ? 1 : 0);

function spellingSimilarity(a: string, b: string): number {
  const [one, other] = [fold(a).slice(0, maxComparedCharacters), fold(b).slice(0, maxComparedCharacters)];
  const length = Math.max(one.length, other.length);
  return length === 0 ? 1 : 1 - distance(one, other) / length;
}
