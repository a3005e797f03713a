/** Places of Nigeria by name (fixtures/places.json), and the place that an address names. */
import fixture from "../../../fixtures/places.json" with { type: "json" };
import { fold } from "../fold.js";
import { addressParts, buildingWords, type Place, streetWords } from "./parse-address.js";

type StateRow = [name: string, capital: string, latitude: number, longitude: number];
type LocalGovernmentRow = [name: string, state: number, latitude: number, longitude: number];
type TownRow = [name: string, state: number, localGovernment: number, latitude: number, longitude: number];
type AliasRow = [name: string, place: string, state: string];

const stateNames = (fixture.states as StateRow[]).map(([name]) => name);
const stateName = (index: number) => stateNames[index] ?? "";

export function* allPlaces(): Generator<Place> {
  for (const [name, state, , latitude, longitude] of fixture.towns as TownRow[]) {
    yield { kind: "town", name, state: stateName(state), latitude, longitude };
  }
  for (const [name, state, latitude, longitude] of fixture.local_governments as LocalGovernmentRow[]) {
    yield { kind: "local_government", name, state: stateName(state), latitude, longitude };
  }
  for (const [name, , latitude, longitude] of fixture.states as StateRow[]) {
    yield { kind: "state", name, state: name, latitude, longitude };
  }
}

/** Indexes places by folded name, most likely first: towns by population, then local governments, then states. */
function buildIndex(): ReadonlyMap<string, readonly Place[]> {
  const byName = new Map<string, Place[]>();
  const add = (name: string, place: Place) => byName.set(name, [...(byName.get(name) ?? []), place]);
  for (const place of allPlaces()) add(fold(place.name), place);
  for (const [name, target, state] of fixture.aliases as AliasRow[]) {
    const places = byName.get(fold(target))?.filter((place) => place.state === state) ?? [];
    for (const place of places) add(fold(name), place);
  }
  return byName;
}

let placesByName: ReadonlyMap<string, readonly Place[]> | undefined;

/** Returns every place with this folded name. The index is built on first use. */
const placesNamed = (name: string): readonly Place[] => {
  placesByName ??= buildIndex();
  return placesByName.get(name) ?? [];
};

// Finds the place that a free-form address names. Load it with `import()` in an operation's `prepare`, which keeps
// fixtures/places.json in a separate chunk that is loaded with the first address.

/** Number of words in the longest name, "abuja municipal area council". */
const maxNameWords = 4;

/** A place name in the text, and the places with this name. */
interface Mention {
  at: number;
  places: readonly Place[];
}

/**
 * Returns the most specific known place that an address names, or null. Case, diacritics, punctuation and hyphens are
 * ignored; only whole words match. Between places of the same name the last state named decides, or else the last place
 * named. Towns take precedence over local governments and these over states, then earlier names over later ones. A name
 * that is part of a street or building name ("Kano Street") is not a place.
 */
export function findPlace(address: string): Place | null {
  const mentions = addressParts(address).flatMap((part, at) => mentionsIn(fold(part).split(" "), at * 1000));
  const state = statedState(mentions);
  const rank = ({ at, places }: Mention, place: Place) =>
    (places.some(({ kind }) => kind === "state") ? 1e9 : 0) + kindRank[place.kind] * 1e6 + at;
  const candidates = mentions
    .flatMap((mention) => mention.places.map((place) => ({ place, rank: rank(mention, place) })))
    .filter(({ place }) => place.state === state)
    .sort((a, b) => a.rank - b.rank);
  const best = candidates[0]?.place;
  return best ? { ...best } : null;
}

const kindRank = { town: 0, local_government: 1, state: 2 } as const;

function statedState(mentions: readonly Mention[]): string | undefined {
  const states = mentions.flatMap(({ places }) => places.filter(({ kind }) => kind === "state"));
  return states.at(-1)?.name ?? mentions.at(-1)?.places[0]?.state;
}

/** Returns the places named in one part of an address from left to right, preferring longer names. */
function mentionsIn(words: readonly string[], offset: number): Mention[] {
  const mentions: Mention[] = [];
  for (let start = 0; start < words.length; ) {
    const length = nameLength(words, start);
    const places = isPlaceName(words, start + length)
      ? filterByKind(words.slice(start + length), placesNamed(words.slice(start, start + length).join(" ")))
      : [];
    if (length > 0 && places.length > 0) mentions.push({ at: offset + start, places });
    start += Math.max(1, length);
  }
  return mentions;
}

function nameLength(words: readonly string[], start: number): number {
  for (let length = Math.min(maxNameWords, words.length - start); length > 0; length--) {
    if (placesNamed(words.slice(start, start + length).join(" ")).length > 0) return length;
  }
  return 0;
}

/** Returns false if the name is part of a street name ("Ikorodu Road", "Aba New Market Road") or a building name. */
function isPlaceName(words: readonly string[], end: number): boolean {
  if (buildingWords.has(words[end] ?? "")) return false;
  const number = words.findIndex((word, at) => at >= end && /\d/.test(word));
  return !words.slice(end, number < 0 ? undefined : number).some((word) => Object.hasOwn(streetWords, word));
}

/** Narrows places by the words that follow: "Lagos State" is the state, "Surulere LGA" the local government. */
function filterByKind([next, second]: readonly string[], places: readonly Place[]): readonly Place[] {
  if (next === "state") return places.filter(({ kind }) => kind === "state");
  if (next === "lga" || next === "lg" || (next === "local" && /^gov/.test(second ?? ""))) {
    return places.filter(({ kind }) => kind === "local_government");
  }
  return places;
}
