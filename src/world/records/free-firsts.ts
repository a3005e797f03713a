/** The first calls at a price that were free, by the key of the price, and the upgrade of what earlier versions stored. */
import type { State } from "../store/state.js";
import { table } from "../store/table.js";

export const freeFirsts = table<{ at: string }>("free_firsts");

/** Converts a record to the form of this version. Earlier versions stored the time of a first free call as a string. */
export const upgradeRecord = (table: string, record: unknown): unknown =>
  table === freeFirsts.name && typeof record === "string" ? { at: record } : record;

/** Upgrades the records of a loaded state. */
export function upgradeState(state: State): void {
  for (const id of [...state.ids(freeFirsts)]) {
    const record: unknown = state.get(freeFirsts, id);
    if (typeof record === "string") state.fill(freeFirsts, { [id]: { at: record } });
  }
}
