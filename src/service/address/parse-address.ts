/**
 * Reads free-form Nigerian addresses: place (fixtures/places.json), house and street, and the similarity of two
 * addresses. Load it with `import()`, which keeps the places in a chunk that is loaded with the first address.
 */
import { createHash } from "node:crypto";
import { distance } from "fastest-levenshtein";
import fixture from "../../../fixtures/places.json" with { type: "json" };
import { fold } from "../fold.js";
import { moved, type Position, type Precision } from "./score.js";

// Words and separators.

/** Returns the normal notation of each written word, given the written words of each notation. */
const notations = (written: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(written).flatMap(([ours, words]) => words.split(" ").map((word) => [word, ours])));

/** Last words of street names as people write them. */
const streetWords = notations({
  Street: "street str st",
  Road: "road rd",
  Avenue: "avenue ave av",
  Close: "close cl",
  Crescent: "crescent cres cresent crs",
  Way: "way",
  Drive: "drive dr",
  Lane: "lane ln",
  Boulevard: "boulevard blvd",
  Expressway: "expressway",
  Highway: "highway hwy",
  Bypass: "bypass",
  Terrace: "terrace",
  Link: "link",
  Loop: "loop",
});

/** Labels of numbers. Labels that mean only "number" are dropped. */
const labels = notations({
  "": "no nos number house hse #",
  Plot: "plot",
  Block: "block blk",
  Flat: "flat apartment apt",
  Suite: "suite",
  Shop: "shop",
  Room: "room",
  Unit: "unit",
  Km: "km kilometre",
});

/** A place name followed by one of these words names a building: "Kano House" is not in Kano. */
const buildingWords = /^(?:building|complex|court|hotel|house|mall|plaza|towers?)$/;

/** Words that end a street name and begin directions. */
const directions =
  /(?:^|\s+)(?:off|by|opp(?:osite)?|near|behind|beside|after|before|along|around|close to|adjacent)(?=\s|$)/i;

/** Maximum number of characters that are read. The rest of a longer text is ignored. */
const maxAddressCharacters = 500;

/** Splits an address at commas, semicolons and line breaks. */
const partsOf = (address: string): string[] => address.slice(0, maxAddressCharacters).split(/[,;\n]/);

// The places of Nigeria.

const kinds = ["town", "local_government", "state"] as const;

export interface Place extends Position {
  kind: (typeof kinds)[number];
  name: string;
  state: string;
}

/** Rows of fixtures/places.json. `state` and the local government of a town are numbers of rows. */
type StateRow = [name: string, capital: string, latitude: number, longitude: number];
type LocalGovernmentRow = [name: string, state: number, latitude: number, longitude: number];
type TownRow = [name: string, state: number, localGovernment: number, latitude: number, longitude: number];
type AliasRow = [name: string, place: string, state: string];

/** Yields all places, most likely first: towns by population, then local governments, then states. */
export function* allPlaces(): Generator<Place> {
  const stateName = (index: number) => (fixture.states as StateRow[])[index]?.[0] ?? "";
  for (const [name, state, , latitude, longitude] of fixture.towns as TownRow[])
    yield { kind: "town", name, state: stateName(state), latitude, longitude };
  for (const [name, state, latitude, longitude] of fixture.local_governments as LocalGovernmentRow[])
    yield { kind: "local_government", name, state: stateName(state), latitude, longitude };
  for (const [name, , latitude, longitude] of fixture.states as StateRow[])
    yield { kind: "state", name, state: name, latitude, longitude };
}

/** Places by folded name, in the order of `allPlaces`. */
const placesByName = new Map<string, Place[]>();
const addPlace = (name: string, place: Place) =>
  placesByName.set(fold(name), [...(placesByName.get(fold(name)) ?? []), place]);
for (const place of allPlaces()) addPlace(place.name, place);
for (const [name, target, state] of fixture.aliases as AliasRow[])
  for (const place of placesByName.get(fold(target)) ?? []) if (place.state === state) addPlace(name, place);

/** Number of words in the longest name, "abuja municipal area council". */
const maxNameWords = 4;

/**
 * Returns the most specific known place that an address names, or null. Case, diacritics, punctuation and hyphens are
 * ignored; only whole words match. Between places of the same name the last state named decides, or else the last place
 * named. Towns take precedence over local governments and these over states, then earlier names over later ones; names
 * that are also a state's come last. A name that is part of a street or building name ("Kano Street") is not a place.
 */
export function findPlace(address: string): Place | null {
  const mentions = partsOf(address).flatMap((part) => mentionsIn(fold(part).split(" ")));
  const stateIn = (places: readonly Place[]) => places.find(({ kind }) => kind === "state");
  const state = mentions.map(stateIn).findLast(Boolean)?.name ?? mentions.at(-1)?.[0]?.state;
  const isNamed = (place: Place) => place.state === state;
  const named = [mentions.filter((places) => !stateIn(places)), mentions.filter(stateIn)].flatMap((group) => {
    const places = group.flat().filter(isNamed);
    return kinds.flatMap((kind) => places.find((place) => place.kind === kind) ?? []);
  });
  return named[0] ? { ...named[0] } : null;
}

/** Returns the places that each name in one part of an address can mean, from left to right, preferring longer names. */
function mentionsIn(words: readonly string[]): (readonly Place[])[] {
  const mentions: (readonly Place[])[] = [];
  for (let start = 0; start < words.length; ) {
    const [end, places] = nameAt(words, start);
    const meant = isPlaceName(words, end) ? filterByKind(words.slice(end), places) : [];
    if (meant.length > 0) mentions.push(meant);
    start = end;
  }
  return mentions;
}

/** Returns the end of the longest name that begins at a word, and its places; or the end of that word. */
function nameAt(words: readonly string[], start: number): [end: number, places: readonly Place[]] {
  for (let end = Math.min(start + maxNameWords, words.length); end > start; end--) {
    const places = placesByName.get(words.slice(start, end).join(" "));
    if (places) return [end, places];
  }
  return [start + 1, []];
}

/** Returns false if the name is part of a street name ("Ikorodu Road", "Aba New Market Road") or a building name. */
function isPlaceName(words: readonly string[], end: number): boolean {
  if (buildingWords.test(words[end] ?? "")) return false;
  const number = words.findIndex((word, at) => at >= end && /\d/.test(word));
  return !words.slice(end, number < 0 ? undefined : number).some((word) => streetWords.has(word));
}

/** Narrows places by the words that follow: "Lagos State" is the state, "Surulere LGA" the local government. */
function filterByKind(
  [next = "", second = ""]: readonly string[],
  places: readonly Place[],
): readonly Place[] {
  if (next === "state") return places.filter(({ kind }) => kind === "state");
  const isLocalGovernment = /^lga?$/.test(next) || (next === "local" && second.startsWith("gov"));
  return isLocalGovernment ? places.filter(({ kind }) => kind === "local_government") : places;
}

// House, plot, block and flat numbers at the beginning of a part of an address.

/** "12", "12A", "12-14", "5/7", "B12"; "1st" is part of a street name. */
const numbered = /^(\d{1,4}[a-z]?(?:\s?[-/]\s?\d{0,4}[a-z]?)?|[a-z]\d{1,4})(?![\p{L}\p{M}\d])[\s.:]*/iu;
/** A single letter, accepted after a label: "Block B". */
const lettered = /^([a-z])(?![\p{L}\p{M}\d])[\s.:]*/iu;
const labelled = /^(#|[\p{L}\p{M}]+)[\s.:#]*/u;

/** Returns the numbers that a part begins with, in normal notation ("Plot 7", "12A"), and the rest of the part. */
function readHouse(part: string): { house: string[]; rest: string } {
  const house: string[] = [];
  let rest = part;
  for (;;) {
    const afterLabels = withoutLabels(rest);
    const { label } = afterLabels;
    const number =
      numbered.exec(afterLabels.rest) ?? (label === null ? null : lettered.exec(afterLabels.rest));
    if (!number?.[1]) return { house, rest };
    const written = number[1]
      .replace(/\s|[-/]$/g, "")
      .replace(/(\d)-([a-z])$/i, "$1$2")
      .toUpperCase();
    house.push(label ? `${label} ${written}` : written);
    rest = afterLabels.rest.slice(number[0].length);
  }
}

/** Strips the labels of a number and returns the most specific one: "House No. 12" has two. */
function withoutLabels(text: string): { label: string | null; rest: string } {
  const [all, word = ""] = labelled.exec(text) ?? [""];
  const label = labels.get(word.toLowerCase());
  if (label === undefined) return { label: null, rest: text };
  const others = withoutLabels(text.slice(all.length));
  return { label: label || others.label || "", rest: others.rest };
}

// House, street and town.

export interface AddressReading {
  place: Place | null;
  /** "12", "12A", "Plot 7", "Block B, Flat 3"; null if none is given. */
  house: string | null;
  /** "Allen Avenue". */
  street: string | null;
  /** Known town, or the local government if no town is named. */
  town: string | null;
  /** "12 Allen Avenue, Ikeja, Lagos, Nigeria": the recognised parts, or the text itself if no place is recognised. */
  formatted: string;
}

/** Parses an address. `place` is the known place that it names. */
export function readAddress(text: string, place: Place | null = findPlace(text)): AddressReading {
  const houses: string[] = [];
  let street: string | null = null;
  for (const part of partsOf(text)) {
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
  return { place, house, street, town, formatted };
}

/** Reads a name that ends in a street word ("St. Gregory's Rd"), or a street word with a number ("Road 3"). */
function readStreet(text: string): string | null {
  const words = text.split(/[\s.]+/).filter(Boolean);
  const last = words.findLastIndex((word) => streetWords.has(fold(word)));
  if (last < 0) return null;
  const type = streetWords.get(fold(words[last] ?? "")) ?? "";
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

/** Returns how precisely the address is known. */
export const precisionOf = ({ house, street, town }: AddressReading): Precision =>
  town === null ? "unknown" : street === null ? "town" : house === null ? "street" : "house";

/** Largest distance of an address from the centre of its town. */
const townRadiusMetres = 1500;

/**
 * Returns the position of the address: a point near the centre of its town that depends only on the formatted address,
 * so that all notations of an address share it. Without a known street, it is the centre itself.
 */
export function addressPosition(
  { street, formatted }: Pick<AddressReading, "street" | "formatted">,
  { latitude, longitude }: Position,
): Position {
  if (street === null) return { latitude, longitude };
  const hash = createHash("sha256").update(fold(formatted)).digest();
  const fraction = (offset: number) => hash.readUInt32BE(offset) / 2 ** 32;
  return moved({ latitude, longitude }, townRadiusMetres * Math.sqrt(fraction(0)), 2 * Math.PI * fraction(4));
}

// Compares two addresses.

const weights = { house: 30, street: 40, town: 30 } as const;

/** Maximum number of characters that are compared. Longer texts are compared by their beginnings. */
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
