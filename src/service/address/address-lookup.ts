/** Looks an address up: how much of it is known, and where it lies. Assumptions address.points, address.precision. */
import type { Position } from "./distance.js";
import { addressPosition, existencePoints, readAddress } from "./parse-address.js";
import type { Place } from "./places.js";

export const lookupOutcomes = {
  found: "house or street is found, as far as the address names them: 40 or 30 points",
  town_only: "only the town is found: 15 points",
  not_found: "nothing is found: 0 points",
};
export type LookupOutcome = keyof typeof lookupOutcomes;

export interface Lookup {
  outcome: LookupOutcome;
  points: 0 | 15 | 30 | 40;
  formatted: string;
  /** Null when nothing is found. */
  position: Position | null;
  precision: "house" | "street" | "town" | "unknown";
}

const precisions = { 40: "house", 30: "street", 15: "town", 0: "unknown" } as const;

/** Where an address lies that is to be found and names no place that is known: Abuja. */
const elsewhere: Place = {
  kind: "town",
  name: "Abuja",
  state: "Federal Capital Territory",
  latitude: 9.057,
  longitude: 7.4951,
};

/** The gazetteer knows Nigeria alone. It is loaded with the first address. */
export async function placeFor(address: string, country: string): Promise<Place | null> {
  if (country.toUpperCase() !== "NG") return null;
  const { findPlace } = await import("./gazetteer.js");
  return findPlace(address);
}

/** `wanted` is the outcome that was asked for; null: what the address itself comes to. */
export function lookUp(address: string, place: Place | null, wanted: LookupOutcome | null): Lookup {
  const reading = readAddress(address, place);
  const own = existencePoints(reading);
  const points =
    wanted === null ? own : wanted === "found" ? foundPoints(own) : wanted === "town_only" ? 15 : 0;
  const street = points === 15 ? null : reading.street;
  const position = points === 0 ? null : addressPosition({ ...reading, street }, place ?? elsewhere);
  return {
    outcome: points === 0 ? "not_found" : points === 15 ? "town_only" : "found",
    points,
    formatted: reading.formatted,
    position,
    precision: precisions[points],
  };
}

/** An address that is to be found and could not be is found whole. */
const foundPoints = (own: 0 | 15 | 30 | 40): 30 | 40 => (own === 30 ? 30 : 40);
