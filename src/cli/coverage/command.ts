/** `standin coverage`: merges the coverage reports of several runs, and checks them against a minimum. */
import type { Command } from "commander";
import { formatCoverage } from "../../client/account/format.js";
import { parseJsonFile, readTextFile } from "../../contract/read-file.js";
import { type CoverageView, toReport } from "../../control/coverage.js";
import { commandGroup, documentedCommand } from "../command-list.js";
import { CommandError, formatExitCodes } from "../errors.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import { jsonOption } from "../output/print.js";
import { publish, type Report } from "../output/report.js";
import { coverageFile, type GateFlags, gateOptions, isGated, judgeCoverage, reportTargets } from "./gate.js";

const own = flagTable(null, [["--coverage <file>", "write the sum as a coverage report"]]);

type Flags = GateFlags & FlagsOf<typeof own>;

const mergeExamples = [
  "standin coverage merge reports/*.json --min-coverage operations=40,outcomes=20",
  "standin coverage merge unit.json browser.json --coverage all.json --markdown coverage.md",
];

const notes = formatExitCodes({
  passed: "merged, and the coverage is enough",
  failed: "the coverage is too low, or a file is not a report or cannot be written",
  couldNotRun: "the command line is invalid, or a file cannot be read",
  notTried: "the reports have no operations, or no call for --min-coverage to judge",
});

const mergeCommand = (): Command =>
  withFlags(
    documentedCommand(
      "merge",
      "Add the coverage reports of several runs, which standin exec --coverage has written.",
      mergeExamples,
      notes,
    ).argument("<files...>", "coverage reports"),
    own,
    gateOptions,
    jsonOption("print the sum as one JSON document"),
  ).action(merge);

export const coverageCommand = (): Command => commandGroup("coverage", mergeExamples, [mergeCommand()]);

async function merge(files: readonly string[], flags: Flags): Promise<void> {
  const coverage = mergeReports(await Promise.all(files.map(readReport)));
  const untried = describeUntried(coverage, flags);
  const judged = judgeCoverage({ coverage, conduct: null, rows: [], untried }, flags);
  const report: Report = {
    ...judged,
    document: coverage,
    text: () => `Coverage of the service: ${formatCoverage(coverage)}`,
    files: coverageFile(flags.coverage, coverage),
  };
  await publish(report, reportTargets(flags));
}

/** Returns why the sum of the reports cannot be judged, or null. */
function describeUntried({ summary: { operations } }: CoverageView, flags: Flags): string | null {
  if (operations.total === 0) return "nothing was tried: the reports have no operations";
  return operations.exercised === 0 && isGated(flags)
    ? "nothing was tried: no report has a call of the service"
    : null;
}

/** Reads a report that `standin exec --coverage` has written. */
async function readReport(file: string): Promise<CoverageView> {
  const text = await readTextFile(file, `the coverage report ${file}`);
  const { CoverageView: schema } = await import("../../control/coverage.js");
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
function mergeReports(reports: readonly CoverageView[]): CoverageView {
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
