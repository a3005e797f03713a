/** `standin coverage`: merges the coverage reports of several runs, and checks them against a minimum. */
import type { Command } from "commander";
import { formatCoverage } from "../../client/account/format-coverage.js";
import { commandGroup, documentedCommand } from "../documented-command.js";
import { type JsonFlag, printResult } from "../output/print.js";
import { writeReport } from "../output/write-report.js";
import { failFor, type GateFlags, reportGate, withGate } from "./gate.js";
import { mergeReports, readReport } from "./merge.js";

interface Flags extends GateFlags, JsonFlag {
  out?: string;
}

const mergeExamples = [
  "standin coverage merge reports/*.json --min-coverage operations=40,outcomes=20",
  "standin coverage merge unit.json browser.json --out all.json --summary coverage.md",
];

const notes = `Exit codes: 1 if the coverage is too low, or a file is not a report or cannot be written; 2 if a file cannot be read.`;

const mergeCommand = (): Command =>
  withGate(
    documentedCommand(
      "merge",
      "Add the coverage reports of several runs, which standin exec --coverage has written.",
      mergeExamples,
      notes,
    )
      .argument("<files...>", "coverage reports")
      .option("--out <file>", "write the sum as a coverage report"),
  )
    .option("--json", "print the sum as one JSON document")
    .action(merge);

export const coverageCommand = (): Command => commandGroup("coverage", mergeExamples, [mergeCommand()]);

async function merge(files: readonly string[], flags: Flags): Promise<void> {
  const coverage = mergeReports(await Promise.all(files.map(readReport)));
  printResult(flags, coverage, (sum) => `Coverage of the service: ${formatCoverage(sum)}`);
  const { out } = flags;
  const problems = await reportGate({ coverage, conduct: null, cases: [] }, flags);
  if (out !== undefined)
    problems.push(
      ...(await writeReport("the coverage report", out, `${JSON.stringify(coverage, null, 2)}\n`)),
    );
  failFor(problems);
}
