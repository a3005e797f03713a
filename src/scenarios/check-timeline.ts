/** Checks the timeline of a scenario. */
import { isOnClock } from "../time/clock.js";
import { fromIso, parseDuration } from "../time/time.js";
import { findAction } from "./actions.js";
import {
  defaultsGiven,
  fieldProblems,
  type MadeSections,
  missingFields,
  nameProblem,
  type Operations,
  referenceProblems,
} from "./check-actions.js";
import { cronProblem, loadCron } from "./cron.js";
import type { Fields } from "./given-sections.js";
import { type Problem, problemsOfEach } from "./problems.js";
import type { TimelineEntry } from "./timeline-entry.js";

/** Returns whether a text is an ISO 8601 time that an account's clock can show. */
export const isClockTime = (text: string): boolean => isOnClock(fromIso(text) ?? Number.NaN);

/** Returns the problems of the entries. Null entries, which do not fit the schema, are skipped. */
export const timelineProblems = (
  entries: readonly (TimelineEntry | null)[],
  made: MadeSections,
  operations: Operations,
): Promise<Problem[]> =>
  problemsOfEach(entries, async (entry, index) => {
    const at = ["timeline", String(index)];
    return [
      ...(await timeProblems(entry, at)),
      ...(await actionProblems(entry, at, made, operations)),
      ...referenceProblems(entry, at, ["given"], made),
    ];
  });

async function timeProblems(entry: TimelineEntry, at: readonly string[]): Promise<Problem[]> {
  const { after, at: instant, cron, times } = entry;
  const problems: Problem[] = [];
  const add = (key: string, message: string) => problems.push({ at: [...at, key], message });
  const given = [after, instant, cron].filter((time) => time !== undefined);
  if (given.length !== 1) problems.push({ at, message: "needs exactly one of after, at and cron" });
  if (after !== undefined && parseDuration(after) === null)
    add("after", "must be a duration such as 30s or 24h");
  if (instant !== undefined && !isClockTime(instant))
    add("at", "must be an ISO 8601 time from 1970 to 9000 such as 2026-03-02T09:00:00Z");
  const problem = cron === undefined ? null : cronProblem(await loadCron(), cron);
  if (problem) add("cron", problem);
  if (times !== undefined && cron === undefined) add("times", "is for cron entries only");
  return problems;
}

async function actionProblems(
  entry: TimelineEntry,
  at: readonly string[],
  made: MadeSections,
  operations: Operations,
): Promise<Problem[]> {
  const problem = nameProblem(operations, entry.do);
  if (problem) return [{ at: [...at, "do"], message: problem }];
  const action = findAction(operations, entry.do) as Operations[number];
  const fields = (entry.with ?? {}) as Fields;
  const inside = [...at, "with"];
  const missing = missingFields(action, { ...defaultsGiven(entry.do, made), ...fields }, inside);
  return [...(await fieldProblems(action, fields, inside)), ...missing];
}
