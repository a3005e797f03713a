/** When a cron expression is due next (UTC), on whatever clock: node-cron reads the expression, and keeps no time here. */
import { day, hour as hourOfDay, minute, second, toDate } from "../world/time/time.js";

type Reader = typeof import("node-cron");

/** Loaded with the first expression. */
export const loadCron = async (): Promise<Reader> => await import("node-cron");

/** What is wrong with an expression; null when nothing is. */
export function cronProblem(reader: Reader, expression: string): string | null {
  const { valid, errors } = reader.validateDetailed(expression);
  if (valid) return toSchedule(reader, expression).next(0) === null ? "names a day that never comes" : null;
  const why = errors.map(({ message }) => `; ${message}`).join("");
  return `must be a cron expression such as */5 * * * * (minute hour day month weekday, in UTC)${why}`;
}

/** A leap day on a given weekday comes forty years apart at most: what does not come within this never does. */
const furthest = 41 * 366 * day;

export interface Schedule {
  /** The first instant (ms) after `after` that the expression names; null: there is none. */
  next(after: number): number | null;
}

/** An expression that `cronProblem` finds nothing wrong with. */
export function toSchedule({ parse, createTask }: Reader, expression: string): Schedule {
  const { hour, minute: minutes, second: seconds, month } = parse(expression);
  // Ms into the day, in order.
  const times = hour.flatMap((h) =>
    minutes.flatMap((m) => seconds.map((s) => h * hourOfDay + m * minute + s * second)),
  );
  const [earliest = 0] = times;
  // Made and never started: it knows which days an expression means.
  const task = createTask(expression, () => {}, { timezone: "UTC" });
  void task.destroy();
  const isMeant = (date: number): boolean =>
    month.includes(toDate(date).getUTCMonth() + 1) && task.match(toDate(date + earliest));
  // Most expressions are due again on the day on which they were.
  let lastMeant = Number.NaN;
  return {
    next(after) {
      for (let date = Math.floor(after / day) * day; date <= after + furthest; date += day) {
        const time = times.find((candidate) => date + candidate > after);
        if (time === undefined || (date !== lastMeant && !isMeant(date))) continue;
        lastMeant = date;
        return date + time;
      }
      return null;
    },
  };
}
