/** The scenario that is loaded on an account, and the progress of its timeline. */
import type { Account } from "../world/account/account.js";
import { CachedRecord } from "../world/store/state.js";
import { fixedTable, table } from "../world/store/table.js";
import type { MadeRecords } from "./given-sections.js";
import type { TimelineEntry } from "./timeline-entry.js";

export interface LoadedScenario {
  /** As in `scenarios/{name}.yaml`. */
  name: string;
  title: string;
  description: string | null;
  loaded_at: string;
  given: MadeRecords;
  timeline: readonly TimelineEntry[];
  /** Action of each entry of the timeline, in words. */
  says?: readonly string[];
}

/** Progress of one entry of the timeline. */
export interface TimelineProgress {
  /** Number of runs so far. */
  ran: number;
  /** Error of the last run, or null. */
  error: string | null;
}

export const scenarioTable = fixedTable<{ loaded: LoadedScenario }>("scenario");
/** A separate table, because progress changes with each run and the scenario does not. */
export const timelineTable = table<TimelineProgress>("timeline");
const progressId = (entry: number): string => `entry:${entry}`;

const cached = new WeakMap<Account, CachedRecord<{ loaded: LoadedScenario }, "loaded">>();

/** Returns the loaded scenario. An account has one at a time. */
export function loadedScenario(account: Account): Readonly<LoadedScenario> | undefined {
  const record = cached.get(account) ?? new CachedRecord(account.state, scenarioTable);
  cached.set(account, record);
  return record.get("loaded");
}

/** Saves the loaded scenario, inside a commit. */
export const saveLoaded = ({ state }: Account, loaded: LoadedScenario): void =>
  state.put(scenarioTable, "loaded", loaded);

/** Removes the loaded scenario, inside a commit. Returns false when none was loaded. */
export function forgetLoaded({ state }: Account): boolean {
  for (const entry of [...state.ids(timelineTable)]) state.delete(timelineTable, entry);
  return state.delete(scenarioTable, "loaded");
}

export const progressOf = ({ state }: Account, entry: number): TimelineProgress =>
  state.get(timelineTable, progressId(entry)) ?? { ran: 0, error: null };

/** Saves the progress of an entry, inside a commit. */
export const saveProgress = ({ state }: Account, entry: number, progress: TimelineProgress): void =>
  state.put(timelineTable, progressId(entry), progress);
