/** Parses free-form addresses into house, street and town; assumption address.points. */
import { createHash } from "node:crypto";
import { fold } from "../fold.js";
import { addressParts, streetWords } from "./address-words.js";
import { moved, type Position } from "./distance.js";
import { readHouse } from "./house-numbers.js";
import type { Place } from "./places.js";

export interface AddressReading {
  /** "12", "12A", "Plot 7", "Block B, Flat 3"; null if none is given. */
  house: string | null;
  /** "Allen Avenue". */
  street: string | null;
  /** Known town, or the local government if no town is named. */
  town: string | null;
  /** "12 Allen Avenue, Ikeja, Lagos, Nigeria": the recognised parts, or the text itself if no place is recognised. */
  formatted: string;
}

/** Words that end a street name and begin directions. */
const directions =
  /(?:^|\s+)(?:off|by|opp(?:osite)?|near|behind|beside|after|before|along|around|close to|adjacent)(?=\s|$)/i;

/** Parses an address; `place` is the known place that it names. */
export function readAddress(text: string, place: Place | null): AddressReading {
  const houses: string[] = [];
  let street: string | null = null;
  for (const part of addressParts(text)) {
    if (street !== null) break;
    const { house, rest } = readHouse(part.split(directions)[0]?.trim() ?? "");
    houses.push(...house);
    street = readStreet(rest) ?? (house.length > 0 ? unnamedStreet(rest, place) : null);
  }
  const house = houses.length > 0 ? houses.join(", ") : null;
  const town = place && place.kind !== "state" ? place.name : null;
  const door = [house, street].filter((word) => word !== null).join(" ");
  const parts = [door, town, place?.state, "Nigeria"].filter(Boolean);
  const formatted = place ? [...new Set(parts)].join(", ") : text.trim().replace(/\s+/g, " ");
  return { house, street, town, formatted };
}

/** Reads a name that ends in a street word ("St. Gregory's Rd"), or a street word with a number ("Road 3"). */
function readStreet(text: string): string | null {
  const words = text.split(/[\s.]+/).filter(Boolean);
  const last = words.findLastIndex((word) => Object.hasOwn(streetWords, fold(word)));
  if (last < 0) return null;
  const type = streetWords[fold(words[last] ?? "")] ?? "";
  const number = words[last + 1];
  if (last === 0) return number && /^\d{1,3}[a-z]?$/i.test(number) ? `${type} ${number.toUpperCase()}` : null;
  return [...words.slice(0, last).map((word) => capitalise(word, text)), type].join(" ");
}

/** Reads a street name after a house number, where it needs no street word: "12 Marina, Lagos". */
function unnamedStreet(text: string, place: Place | null): string | null {
  const placeWords = new Set(fold(`${place?.name ?? ""} ${place?.state ?? ""} Nigeria state`).split(" "));
  const words = text.split(/[\s.]+/).filter((word) => /\p{L}/u.test(word) && !placeWords.has(fold(word)));
  return words.length > 0 && words.length <= 4 ? words.map((word) => capitalise(word, text)).join(" ") : null;
}

/** Capitalises "allen" and "ALLEN" as "Allen". Keeps "McCarthy", and "MKO" next to words in lower case. */
function capitalise(word: string, context: string): string {
  const isAllCaps = context === context.toUpperCase();
  if (/^\d/.test(word)) return word.toLowerCase();
  if (!isAllCaps && word !== word.toLowerCase()) return word;
  return word.toLowerCase().replace(/(?<![\p{L}\p{M}'’])\p{L}/gu, (letter) => letter.toUpperCase());
}

/** Returns the points of the check address_exists, 0 to 40. */
export function existencePoints({ house, street, town }: AddressReading): 0 | 15 | 30 | 40 {
  if (town === null) return 0;
  if (street === null) return 15;
  return house === null ? 30 : 40;
}

/** Largest distance of an address from the centre of its town. */
const townRadiusMetres = 1500;

/**
 * Returns the position of the address: a point near the centre of its town that depends only on the formatted address, so
 * that all notations of an address share it. Without a known street it is the centre itself.
 */
export function addressPosition({ street, formatted }: AddressReading, place: Place): Position {
  const centre = { latitude: place.latitude, longitude: place.longitude };
  if (street === null) return centre;
  const hash = createHash("sha256").update(fold(formatted)).digest();
  const fraction = (offset: number) => hash.readUInt32BE(offset) / 2 ** 32;
  return moved(centre, townRadiusMetres * Math.sqrt(fraction(0)), 2 * Math.PI * fraction(4));
}
