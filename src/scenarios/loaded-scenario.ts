/** The scenario that an account plays: what it made, and how far its timeline is. */
import type { Account } from "../world/account.js";
import { CachedRecord } from "../world/cached-record.js";
import type { MadeRecords } from "./given-sections.js";
import type { TimelineEntry } from "./timeline.js";

export interface LoadedScenario {
  /** As in `scenarios/{name}.yaml`. */
  name: string;
  title: string;
  description: string | null;
  loaded_at: string;
  given: MadeRecords;
  timeline: readonly TimelineEntry[];
}

/** Of an entry of the timeline. */
export interface Progress {
  /** So often it has happened. */
  ran: number;
  /** Why it did not go as asked, the last time. */
  error: string | null;
}

const table = "scenario";
const id = "loaded";
/** Beside it, since it changes with each run and the scenario does not. */
const progressTable = "timeline";
const progressId = (entry: number): string => `entry:${entry}`;

const cached = new WeakMap<Account, CachedRecord<LoadedScenario>>();

/** An account plays one at a time. */
export function loadedScenario(account: Account): Readonly<LoadedScenario> | undefined {
  const record = cached.get(account) ?? new CachedRecord<LoadedScenario>(account.state, table);
  cached.set(account, record);
  return record.get(id);
}

/** Inside a commit. */
export const saveLoaded = ({ state }: Account, loaded: LoadedScenario): void => state.put(table, id, loaded);

/** Inside a commit. False: there was none. */
export function forgetLoaded({ state }: Account): boolean {
  for (const entry of [...state.ids(progressTable)]) state.delete(progressTable, entry);
  return state.delete(table, id);
}

export const progressOf = ({ state }: Account, entry: number): Progress =>
  state.get<Progress>(progressTable, progressId(entry)) ?? { ran: 0, error: null };

/** Inside a commit. */
export const saveProgress = ({ state }: Account, entry: number, progress: Progress): void =>
  state.put(progressTable, progressId(entry), progress);
