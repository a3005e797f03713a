/** fixtures/places.json as an index of names: the states, local governments and towns of Nigeria. */
import fixture from "../../../fixtures/places.json" with { type: "json" };
import { fold } from "../fold.js";
import type { Position } from "./distance.js";

export interface Place extends Position {
  kind: "town" | "local_government" | "state";
  name: string;
  state: string;
}

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

/** Places by folded name, the likeliest first: towns by population, then local governments, then states. */
function index(): ReadonlyMap<string, readonly Place[]> {
  const byName = new Map<string, Place[]>();
  const add = (name: string, place: Place) => byName.set(name, [...(byName.get(name) ?? []), place]);
  for (const place of allPlaces()) add(fold(place.name), place);
  for (const [name, target, state] of fixture.aliases as AliasRow[]) {
    const places = byName.get(fold(target))?.filter((place) => place.state === state) ?? [];
    for (const place of places) add(fold(name), place);
  }
  return byName;
}

let known: ReadonlyMap<string, readonly Place[]> | undefined;

/** Every place of a folded name; the index is built with the first question. */
export const placesNamed = (name: string): readonly Place[] => {
  known ??= index();
  return known.get(name) ?? [];
};
