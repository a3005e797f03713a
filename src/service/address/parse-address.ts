/** Reads free-form Nigerian addresses: their words, numbers, street and town, and how much two of them have in common. */
import { createHash } from "node:crypto";
import { distance } from "fastest-levenshtein";
import { fold } from "../fold.js";
import { moved, type Position } from "./score.js";

/** A state, local government or town of Nigeria. */
export interface Place extends Position {
  kind: "town" | "local_government" | "state";
  name: string;
  state: string;
}

// Words and separators of Nigerian addresses.

/** The rest of a longer text is ignored. */
const maxAddressCharacters = 500;

/** Splits an address at commas, semicolons and line breaks. */
export const addressParts = (address: string): string[] =>
  address.slice(0, maxAddressCharacters).split(/[,;\n]/);

/** Last words of street names as people write them, with our notation. */
export const streetWords: Readonly<Record<string, string>> = {
  street: "Street",
  str: "Street",
  st: "Street",
  road: "Road",
  rd: "Road",
  avenue: "Avenue",
  ave: "Avenue",
  av: "Avenue",
  close: "Close",
  cl: "Close",
  crescent: "Crescent",
  cres: "Crescent",
  cresent: "Crescent",
  crs: "Crescent",
  way: "Way",
  drive: "Drive",
  dr: "Drive",
  lane: "Lane",
  ln: "Lane",
  boulevard: "Boulevard",
  blvd: "Boulevard",
  expressway: "Expressway",
  highway: "Highway",
  hwy: "Highway",
  bypass: "Bypass",
  terrace: "Terrace",
  link: "Link",
  loop: "Loop",
};

/** A place name followed by one of these words names a building: "Kano House" is not in Kano. */
export const buildingWords: ReadonlySet<string> = new Set([
  "building",
  "complex",
  "court",
  "hotel",
  "house",
  "mall",
  "plaza",
  "tower",
  "towers",
]);

// Reads house, plot, block and flat numbers at the beginning of a part of an address.

/** Labels of numbers, with our notation. Labels that mean only "number" are dropped. */
const labels: Readonly<Record<string, string>> = {
  no: "",
  nos: "",
  number: "",
  house: "",
  hse: "",
  "#": "",
  plot: "Plot",
  block: "Block",
  blk: "Block",
  flat: "Flat",
  apartment: "Flat",
  apt: "Flat",
  suite: "Suite",
  shop: "Shop",
  room: "Room",
  unit: "Unit",
  km: "Km",
  kilometre: "Km",
};

/** "12", "12A", "12-14", "5/7", "B12"; "1st" is part of a street name. */
const numbered = /^(\d{1,4}[a-z]?(?:\s?[-/]\s?\d{0,4}[a-z]?)?|[a-z]\d{1,4})(?![\p{L}\p{M}\d])[\s.:]*/iu;
/** A single letter, accepted after a label: "Block B". */
const lettered = /^([a-z])(?![\p{L}\p{M}\d])[\s.:]*/iu;
const labelled =
  /^(#|(?:nos|no|number|house|hse|plot|block|blk|flat|apartment|apt|suite|shop|room|unit|km|kilometre)(?![\p{L}\p{M}]))[\s.:#]*/iu;

/** Returns the numbers that a part begins with, in our notation ("Plot 7", "12A"), and the rest of the part. */
function readHouse(part: string): { house: string[]; rest: string } {
  const house: string[] = [];
  let rest = part;
  for (;;) {
    const afterLabels = withoutLabels(rest);
    const number =
      numbered.exec(afterLabels.rest) ??
      (afterLabels.label === null ? null : lettered.exec(afterLabels.rest));
    if (!number?.[1]) return { house, rest };
    const written = number[1]
      .replace(/\s|[-/]$/g, "")
      .replace(/(\d)-([a-z])$/i, "$1$2")
      .toUpperCase();
    house.push(afterLabels.label ? `${afterLabels.label} ${written}` : written);
    rest = afterLabels.rest.slice(number[0].length);
  }
}

/** Strips the labels of a number and returns the most specific one: "House No. 12" has two. */
function withoutLabels(text: string): { label: string | null; rest: string } {
  let label: string | null = null;
  let rest = text;
  for (let match = labelled.exec(rest); match?.[1]; match = labelled.exec(rest)) {
    label = label || (labels[match[1].toLowerCase()] ?? "");
    rest = rest.slice(match[0].length);
  }
  return { label, rest };
}

// Parses free-form addresses into house, street and town; assumption address.points.

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

// Compares two addresses.

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
