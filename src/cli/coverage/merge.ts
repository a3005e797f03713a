/** Merges coverage reports of several runs, such as the jobs of a CI pipeline. */
import { parseJsonFile, readTextFile } from "../../contract/read-file.js";
import { type CoverageView, toReport } from "../../control/coverage-report.js";
import { CommandError } from "../errors.js";

/** Reads a report that `standin exec --coverage` has written. */
export async function readReport(file: string): Promise<CoverageView> {
  const text = await readTextFile(file, `the coverage report ${file}`);
  const { CoverageView: schema } = await import("../../control/coverage-report.js");
  const { compileValidator, detailsOf } = await import("../../contract/validate.js");
  const validate = await compileValidator(schema);
  try {
    const report = parseJsonFile(text, "it");
    if (validate(report)) return report as CoverageView;
    throw new Error(detailsOf(validate, "report")[0]?.message);
  } catch (error) {
    throw new CommandError(`${file} is not a coverage report of this version: ${(error as Error).message}`);
  }
}

/** Adds the counts of reports. An entry that only some of them have, because versions differ, is kept. */
export function mergeReports(reports: readonly CoverageView[]): CoverageView {
  return toReport({
    operations: mergeBy(
      reports.flatMap(({ operations }) => operations),
      ({ operation }) => operation,
      (one, other) => ({
        ...one,
        calls: one.calls + other.calls,
        scenario_calls: one.scenario_calls + other.scenario_calls,
        statuses: addStatuses(one.statuses, other.statuses),
        outcomes: mergeBy([...one.outcomes, ...other.outcomes], ({ name }) => name, addCounts),
      }),
    ),
    transitions: mergeBy(
      reports.flatMap(({ transitions }) => transitions),
      ({ machine, move, from, to }) => [machine, move, from, to].join(" "),
      addCounts,
    ),
    events: mergeBy(
      reports.flatMap(({ events }) => events),
      ({ event }) => event,
      addCounts,
    ),
  });
}

const addCounts = <T extends { count: number }>(one: T, other: T): T => ({
  ...one,
  count: one.count + other.count,
});

function addStatuses(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const sum = new Map(Object.entries(one));
  for (const [status, count] of Object.entries(other)) sum.set(status, (sum.get(status) ?? 0) + count);
  return Object.fromEntries(sum);
}

/** Joins items with the same key, in the order of their first occurrence. */
function mergeBy<T>(items: readonly T[], keyOf: (item: T) => string, join: (one: T, other: T) => T): T[] {
  const merged = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const known = merged.get(key);
    merged.set(key, known === undefined ? item : join(known, item));
  }
  return [...merged.values()];
}
