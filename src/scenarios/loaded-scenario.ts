/**
 * The scenario that is loaded on an account, and its timeline: jobs on the account's clock, which an advance runs too.
 */

import { Refusal } from "../contract/errors.js";
import { fromIso, parseDuration, toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import { AccountClosed } from "../world/account/commits.js";
import type { JobKind } from "../world/account/run-job.js";
import { type Job, storedJobs } from "../world/jobs/jobs.js";
import { CachedRecord } from "../world/store/state.js";
import { fixedTable, table } from "../world/store/table.js";
import { causedBy, type Stage } from "./actions.js";
import { defaultsOf, runAction } from "./given.js";
import type { MadeRecords } from "./given-sections.js";
import { resolveReferences } from "./references.js";
import { loadCron, type Schedule, type TimelineEntry, toSchedule } from "./timeline-entry.js";

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

const kind = "timeline";
const jobOf = (entry: number): string => `${kind}:${entry}`;

const schedules = new Map<string, Schedule>();
/** Maximum number of cached cron expressions: testers may write any number. */
const maxSchedules = 100;

async function scheduleOf(expression: string): Promise<Schedule> {
  const known = schedules.get(expression);
  if (known) return known;
  const schedule = toSchedule(await loadCron(), expression);
  if (schedules.size === maxSchedules) schedules.clear();
  schedules.set(expression, schedule);
  return schedule;
}

/** Returns the instant (ms) at which each entry is first due, or null if it never is. */
export const firstDue = (entries: readonly TimelineEntry[], now: number): Promise<(number | null)[]> =>
  Promise.all(
    entries.map(async ({ after, at, cron }) => {
      if (after !== undefined) return now + (parseDuration(after) as number);
      if (at !== undefined) return Math.max(now, fromIso(at) as number);
      return (await scheduleOf(cron as string)).next(now);
    }),
  );

/** Schedules the entries that are ever due, inside a commit. */
export function scheduleTimeline(account: Account, due: readonly (number | null)[]): void {
  for (const [entry, at] of due.entries()) if (at !== null) scheduleEntry(account, entry, at);
}

/** Schedules an entry. `after` is the previous run, whose cause is also the cause of this run, so that a cron makes no chain. */
const scheduleEntry = (account: Account, entry: number, due: number, after?: Job): void =>
  account.jobs.schedule(jobOf(entry), {
    due,
    kind,
    in_turn: true,
    entry,
    ...(after?.cause !== undefined && { cause: after.cause }),
  });

/** Cancels the rest of the timeline, inside a commit. */
export function cancelTimeline(account: Account, { timeline }: LoadedScenario): void {
  for (const entry of timeline.keys()) account.jobs.cancel(jobOf(entry));
}

/** Formats what a job of the timeline does, such as `Request a refund of a payment, as "Demo day" has it.` */
function formatDue(account: Account, job: Job): string {
  const loaded = loadedScenario(account);
  if (!loaded) return "A scenario that is not loaded any more goes on.";
  const what = loaded.says?.[job.entry as number];
  return what ? `${what}, as "${loaded.title}" has it.` : `"${loaded.title}" goes on.`;
}

/** Returns when an entry is due next, or null when it is not due any more. */
export function nextDue({ state }: Account, entry: number): string | null {
  const job = state.get(storedJobs, jobOf(entry));
  return job ? toIso(job.due) : null;
}

/** Runs one entry. A refusal is recorded as the entry's error; the timeline goes on. */
export const timelineJob = (loadStage: () => Promise<Stage>): JobKind => ({
  says: formatDue,
  async run(account, job, activity) {
    const loaded = loadedScenario(account);
    const index = job.entry as number;
    const entry = loaded?.timeline[index];
    if (!loaded || !entry) return null;
    const stage = causedBy(await loadStage(), activity);
    const error = await runEntry(account, stage, loaded, entry);
    // Cron runs that were missed while the sandbox was down are skipped.
    const now = Math.max(job.due, account.clock.now());
    const following = entry.cron === undefined ? null : (await scheduleOf(entry.cron)).next(now);
    const ran = { at: toIso(account.advancing ? account.clock.now() : job.due), kind, do: entry.do };
    return (current) => {
      // The scenario may have been unloaded or replaced during the run.
      if (current) recordRun(account, job, entry, following, error);
      return error === null ? ran : { ...ran, error };
    };
  },
});

async function runEntry(
  account: Account,
  stage: Stage,
  { given }: LoadedScenario,
  entry: TimelineEntry,
): Promise<string | null> {
  try {
    const fields = { ...defaultsOf(entry.do, given), ...entry.with };
    await runAction(account, stage, entry.do, resolveReferences(fields, { given }) as typeof fields);
    return null;
  } catch (error) {
    if (error instanceof AccountClosed) throw error;
    return error instanceof Refusal ? `${error.code}: ${error.message}` : (error as Error).message;
  }
}

/** Records a run of an entry, inside a commit, and schedules the next run of a cron. */
function recordRun(
  account: Account,
  job: Job,
  { times }: TimelineEntry,
  following: number | null,
  error: string | null,
): void {
  const index = job.entry as number;
  const ran = progressOf(account, index).ran + 1;
  saveProgress(account, index, { ran, error });
  const isOver = times !== undefined && ran >= times;
  if (following !== null && !isOver) scheduleEntry(account, index, following, job);
}
