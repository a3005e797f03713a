/** Looks up an address: how much of it is known, and its position. Assumptions address.points, address.precision. */
import type { Position } from "./distance.js";
import { addressPosition, existencePoints, readAddress } from "./parse-address.js";
import type { Place } from "./places.js";

export const addressOutcomes = {
  found: "the address is found: 40 points with a house number, 30 with the street only",
  town_only: "only the town is found: 15 points",
  not_found: "nothing is found: 0 points",
};
export type AddressOutcome = keyof typeof addressOutcomes;

export interface AddressLookup {
  outcome: AddressOutcome;
  points: 0 | 15 | 30 | 40;
  formatted: string;
  /** Null if nothing is found. */
  position: Position | null;
  precision: "house" | "street" | "town" | "unknown";
}

const precisions = { 40: "house", 30: "street", 15: "town", 0: "unknown" } as const;

/** Place of an address that must be found but names no known place. */
const fallbackPlace: Place = {
  kind: "town",
  name: "Abuja",
  state: "Federal Capital Territory",
  latitude: 9.057,
  longitude: 7.4951,
};

/** Finds the place that the address names. The gazetteer covers Nigeria only; it is loaded when first used. */
export async function findPlaceIn(address: string, country: string): Promise<Place | null> {
  if (country.toUpperCase() !== "NG") return null;
  const { findPlace } = await import("./gazetteer.js");
  return findPlace(address);
}

/**
 * Looks up an address in a place. `requested` is the requested outcome; null means that the address determines the
 * outcome.
 */
export function lookUpAddress(
  address: string,
  place: Place | null,
  requested: AddressOutcome | null,
): AddressLookup {
  const reading = readAddress(address, place);
  const own = existencePoints(reading);
  const points =
    requested === null ? own : requested === "found" ? foundPoints(own) : requested === "town_only" ? 15 : 0;
  const street = points === 15 ? null : reading.street;
  const position = points === 0 ? null : addressPosition({ ...reading, street }, place ?? fallbackPlace);
  return {
    outcome: points === 0 ? "not_found" : points === 15 ? "town_only" : "found",
    points,
    formatted: reading.formatted,
    position,
    precision: precisions[points],
  };
}

/** Returns the points of an address that must be found; one that cannot be found counts as found in full. */
const foundPoints = (own: 0 | 15 | 30 | 40): 30 | 40 => (own === 30 ? 30 : 40);
