/** `standin coverage`: merges the coverage reports of several runs, and checks them against a minimum. */
import type { Command } from "commander";
import { formatCoverage } from "../../client/account/format-coverage.js";
import type { CoverageView } from "../../control/coverage-report.js";
import { commandGroup, documentedCommand } from "../documented-command.js";
import { formatExitCodes } from "../errors.js";
import { type JsonFlag, printResult } from "../output/print.js";
import { problemsOf, writeInFolder } from "../output/write-file.js";
import { failFor, type GateFlags, isGated, reportGate, withGate } from "./gate.js";
import { mergeReports, readReport } from "./merge.js";

interface Flags extends GateFlags, JsonFlag {
  coverage?: string;
}

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
  withGate(
    documentedCommand(
      "merge",
      "Add the coverage reports of several runs, which standin exec --coverage has written.",
      mergeExamples,
      notes,
    )
      .argument("<files...>", "coverage reports")
      .option("--coverage <file>", "write the sum as a coverage report"),
  )
    .option("--json", "print the sum as one JSON document")
    .action(merge);

export const coverageCommand = (): Command => commandGroup("coverage", mergeExamples, [mergeCommand()]);

async function merge(files: readonly string[], flags: Flags): Promise<void> {
  const coverage = mergeReports(await Promise.all(files.map(readReport)));
  printResult(flags, coverage, (sum) => `Coverage of the service: ${formatCoverage(sum)}`);
  const { coverage: file } = flags;
  const untried = describeUntried(coverage, flags);
  const problems = await reportGate({ coverage, conduct: null, cases: [], untried }, flags);
  if (file !== undefined)
    problems.push(
      ...(await problemsOf(
        writeInFolder("the coverage report", file, `${JSON.stringify(coverage, null, 2)}\n`),
      )),
    );
  failFor(problems, untried);
}

/** Returns why the sum of the reports cannot be judged, or null. */
function describeUntried({ summary: { operations } }: CoverageView, flags: Flags): string | null {
  if (operations.total === 0) return "nothing was tried: the reports have no operations";
  return operations.exercised === 0 && isGated(flags)
    ? "nothing was tried: no report has a call of the service"
    : null;
}
