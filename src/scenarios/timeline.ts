/** What happens by itself while a scenario is loaded: jobs on the account's clock, which an advance runs too. */
import * as Type from "typebox";
import { Refusal } from "../contract/errors.js";
import { type Account, AccountClosed } from "../world/account.js";
import type { Job } from "../world/time/jobs.js";
import type { JobHandler } from "../world/time/scheduler.js";
import { fromIso, parseDuration, toIso } from "../world/time/time.js";
import type { Stage } from "./actions.js";
import { loadCron, type Schedule, toSchedule } from "./cron.js";
import { defaultsOf, runAction } from "./given.js";
import { type LoadedScenario, loadedScenario, progressOf, saveProgress } from "./loaded-scenario.js";
import { resolveReferences } from "./references.js";

export const TimelineEntry = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        examples: ["30s"],
        description: "So long after the scenario is loaded, on the account's clock",
      }),
    ),
    at: Type.Optional(
      Type.String({
        examples: ["2026-03-02T09:00:00Z"],
        description: "At this instant; at once when it is over",
      }),
    ),
    cron: Type.Optional(
      Type.String({
        examples: ["*/5 * * * *"],
        description: "Each time: minute hour day month weekday, in UTC",
      }),
    ),
    times: Type.Optional(
      Type.Integer({ minimum: 1, description: "Of a cron: so often; absent: without end" }),
    ),
    do: Type.String({ examples: ["simulate_payment"], description: "An operation's id" }),
    with: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: "Its fields; outcome asks for an outcome" }),
    ),
  },
  { additionalProperties: false },
);
export type TimelineEntry = Type.Static<typeof TimelineEntry>;

const kind = "timeline";
const jobOf = (entry: number): string => `${kind}:${entry}`;

const schedules = new Map<string, Schedule>();
/** Testers write any number of expressions. */
const mostSchedules = 100;

async function scheduleOf(expression: string): Promise<Schedule> {
  const known = schedules.get(expression);
  if (known) return known;
  const schedule = toSchedule(await loadCron(), expression);
  if (schedules.size === mostSchedules) schedules.clear();
  schedules.set(expression, schedule);
  return schedule;
}

/** The instant (ms) at which each entry is first due; null: never again. */
export const firstDue = (entries: readonly TimelineEntry[], now: number): Promise<(number | null)[]> =>
  Promise.all(
    entries.map(async ({ after, at, cron }) => {
      if (after !== undefined) return now + (parseDuration(after) as number);
      if (at !== undefined) return Math.max(now, fromIso(at) as number);
      return (await scheduleOf(cron as string)).next(now);
    }),
  );

/** Inside a commit. */
export function schedule(account: Account, due: readonly (number | null)[]): void {
  for (const [entry, at] of due.entries()) if (at !== null) scheduleEntry(account, entry, at);
}

const scheduleEntry = (account: Account, entry: number, due: number): void =>
  account.jobs.schedule(jobOf(entry), { due, kind, in_turn: true, entry });

/** Inside a commit: nothing of the timeline happens any more. */
export function unschedule(account: Account, { timeline }: LoadedScenario): void {
  for (const entry of timeline.keys()) account.jobs.cancel(jobOf(entry));
}

/** When an entry is due next; null: not any more. */
export function nextDue({ state }: Account, entry: number): string | null {
  const job = state.get<Job>("jobs", jobOf(entry));
  return job ? toIso(job.due) : null;
}

/** Runs one entry. What it is refused is told, and stops nothing: the world goes on as it would for a client. */
export const timelineJob =
  (stage: () => Stage): JobHandler =>
  async (account, job) => {
    const loaded = loadedScenario(account);
    const index = job.entry as number;
    const entry = loaded?.timeline[index];
    if (!loaded || !entry) return null;
    const error = await perform(account, stage(), loaded, entry);
    // What a sandbox that did not run has missed of a cron does not come all at once.
    const now = Math.max(job.due, account.clock.now());
    const following = entry.cron === undefined ? null : (await scheduleOf(entry.cron)).next(now);
    const ran = { at: toIso(account.advancing ? account.clock.now() : job.due), kind, do: entry.do };
    return (current) => {
      // Meanwhile the scenario may have left, or another may have taken its place.
      if (current) recordRun(account, index, entry, following, error);
      return error === null ? ran : { ...ran, error };
    };
  };

async function perform(
  account: Account,
  stage: Stage,
  { given }: LoadedScenario,
  entry: TimelineEntry,
): Promise<string | null> {
  try {
    const fields = { ...defaultsOf(entry.do, given), ...entry.with };
    await runAction(
      account,
      stage,
      entry.do,
      resolveReferences(fields, { given }) as Record<string, unknown>,
    );
    return null;
  } catch (error) {
    if (error instanceof AccountClosed) throw error;
    return error instanceof Refusal ? `${error.code}: ${error.message}` : (error as Error).message;
  }
}

/** Inside a commit. */
function recordRun(
  account: Account,
  index: number,
  { times }: TimelineEntry,
  following: number | null,
  error: string | null,
): void {
  const ran = progressOf(account, index).ran + 1;
  saveProgress(account, index, { ran, error });
  const isOver = times !== undefined && ran >= times;
  if (following !== null && !isOver) scheduleEntry(account, index, following);
}
