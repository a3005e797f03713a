/** An entry of a timeline: an action, and when it happens, once or by a cron expression. */
import * as Type from "typebox";
import { day, hour as hourOfDay, minute, second, toDate } from "../time/time.js";

export const TimelineEntry = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        examples: ["30s"],
        description: "Time after the scenario is loaded, on the account's clock",
      }),
    ),
    at: Type.Optional(
      Type.String({
        examples: ["2026-03-02T09:00:00Z"],
        description: "Instant on the account's clock; runs at once if it has passed",
      }),
    ),
    cron: Type.Optional(
      Type.String({
        examples: ["*/5 * * * *"],
        description: "Cron expression in UTC: minute hour day month weekday",
      }),
    ),
    times: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "Maximum number of runs of a cron entry. Unlimited if omitted",
      }),
    ),
    do: Type.String({ examples: ["simulate_payment"], description: "Id of an operation" }),
    with: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "Fields of the operation; `outcome` requests an outcome",
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type TimelineEntry = Type.Static<typeof TimelineEntry>;

type NodeCron = typeof import("node-cron");

export const loadCron = async (): Promise<NodeCron> => await import("node-cron");

/** Returns what is wrong with an expression, or null. */
export function cronProblem(cron: NodeCron, expression: string): string | null {
  const { valid, errors } = cron.validateDetailed(expression);
  if (valid) return toSchedule(cron, expression).next(0) === null ? "names a date that never occurs" : null;
  const why = errors.map(({ message }) => `; ${message}`).join("");
  return `must be a cron expression such as */5 * * * * (minute hour day month weekday, in UTC)${why}`;
}

/** Time in which every date occurs, in ms: 29 February on a given weekday recurs within 40 years. */
const searchLimitMs = 41 * 366 * day;

export interface Schedule {
  /** Returns the first matching instant (ms) after `after`, or null when there is none. */
  next(after: number): number | null;
}

/** Returns the schedule of a valid expression. */
export function toSchedule({ parse, createTask }: NodeCron, expression: string): Schedule {
  const { hour, minute: minutes, second: seconds, month } = parse(expression);
  // Ms into the day, in order.
  const times = hour.flatMap((h) =>
    minutes.flatMap((m) => seconds.map((s) => h * hourOfDay + m * minute + s * second)),
  );
  const [earliest = 0] = times;
  // Never started: only used to match dates.
  const task = createTask(expression, () => {}, { timezone: "UTC" });
  void task.destroy();
  const isMatch = (date: number): boolean =>
    month.includes(toDate(date).getUTCMonth() + 1) && task.match(toDate(date + earliest));
  // Most expressions are due again on the same day.
  let lastMatch = Number.NaN;
  return {
    next(after) {
      for (let date = Math.floor(after / day) * day; date <= after + searchLimitMs; date += day) {
        const time = times.find((candidate) => date + candidate > after);
        if (time === undefined || (date !== lastMatch && !isMatch(date))) continue;
        lastMatch = date;
        return date + time;
      }
      return null;
    },
  };
}
