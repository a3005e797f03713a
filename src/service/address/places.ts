/** Index of the states, local governments and towns of Nigeria by name (fixtures/places.json). */
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
export const placesNamed = (name: string): readonly Place[] => {
  placesByName ??= buildIndex();
  return placesByName.get(name) ?? [];
};
