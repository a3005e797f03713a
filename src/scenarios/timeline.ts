/** The timeline of a loaded scenario: jobs on the account's clock, which an advance runs too. */
import { Refusal } from "../contract/errors.js";
import { fromIso, parseDuration, toIso } from "../time/time.js";
import type { Account } from "../world/account/account.js";
import { AccountClosed } from "../world/account/commits.js";
import type { JobKind } from "../world/account/run-job.js";
import { type Job, storedJobs } from "../world/jobs/jobs.js";
import { causedBy, type Stage } from "./actions.js";
import { defaultsOf, runAction } from "./given.js";
import { type LoadedScenario, loadedScenario, progressOf, saveProgress } from "./loaded-scenario.js";
import { resolveReferences } from "./references.js";
import { loadCron, type Schedule, type TimelineEntry, toSchedule } from "./timeline-entry.js";

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
