/** The scenario that is loaded on an account, and the progress of its timeline. */
import type { Account } from "../world/account/account.js";
import { CachedRecord } from "../world/records/cached-record.js";
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
}

/** Progress of one entry of the timeline. */
export interface TimelineProgress {
  /** Number of runs so far. */
  ran: number;
  /** Error of the last run, or null. */
  error: string | null;
}

const table = "scenario";
const id = "loaded";
/** A table of its own, because progress changes with each run and the scenario does not. */
const progressTable = "timeline";
const progressId = (entry: number): string => `entry:${entry}`;

const cached = new WeakMap<Account, CachedRecord<LoadedScenario>>();

/** Returns the loaded scenario. An account has one at a time. */
export function loadedScenario(account: Account): Readonly<LoadedScenario> | undefined {
  const record = cached.get(account) ?? new CachedRecord<LoadedScenario>(account.state, table);
  cached.set(account, record);
  return record.get(id);
}

/** Inside a commit. */
export const saveLoaded = ({ state }: Account, loaded: LoadedScenario): void => state.put(table, id, loaded);

/** Inside a commit. Returns false when none was loaded. */
export function forgetLoaded({ state }: Account): boolean {
  for (const entry of [...state.ids(progressTable)]) state.delete(progressTable, entry);
  return state.delete(table, id);
}

export const progressOf = ({ state }: Account, entry: number): TimelineProgress =>
  state.get<TimelineProgress>(progressTable, progressId(entry)) ?? { ran: 0, error: null };

/** Inside a commit. */
export const saveProgress = ({ state }: Account, entry: number, progress: TimelineProgress): void =>
  state.put(progressTable, progressId(entry), progress);
