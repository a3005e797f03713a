/** Upgrades records that earlier versions wrote. */
import type { State } from "./state.js";

/** Converts a record to the form of this version. Earlier versions stored the time of a first free call as a string. */
export const upgradeRecord = (table: string, record: unknown): unknown =>
  table === "free_firsts" && typeof record === "string" ? { at: record } : record;

/** Upgrades the records of a loaded state. */
export function upgradeState(state: State): void {
  for (const id of [...state.ids("free_firsts")]) {
    const record = state.get("free_firsts", id);
    state.load("free_firsts", id, JSON.stringify(upgradeRecord("free_firsts", record)));
  }
}
