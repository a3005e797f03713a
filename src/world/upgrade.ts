/** Records as earlier versions wrote them. */
import type { State } from "./store/state.js";

/** Returns a record as this version writes it. The time of a first free call was a string before. */
export const upgradeRecord = (table: string, record: unknown): unknown =>
  table === "free_firsts" && typeof record === "string" ? { at: record } : record;

/** Upgrades the records of a state that was just loaded. */
export function upgradeState(state: State): void {
  for (const id of [...state.ids("free_firsts")]) {
    const record = state.get("free_firsts", id);
    state.load("free_firsts", id, JSON.stringify(upgradeRecord("free_firsts", record)));
  }
}
