import type { State } from "../../src/world/store/state.js";

/** Returns the records of a state by table and id. The same state gives the same bytes. */
export function documentOf(state: State): Record<string, Record<string, unknown>> {
  const tables = [...state.tables()].map(({ name }): [string, Record<string, unknown>] => {
    const entries = [...state.entries({ name })].map(([id, text]) => [id, JSON.parse(text)]);
    return [name, Object.fromEntries(entries)];
  });
  return Object.fromEntries(tables.filter(([, records]) => Object.keys(records).length > 0));
}
