/** `standin scenario`: lists, loads, runs and checks scenarios. */
import type { Command } from "commander";
import { readBundledScenarios } from "../../scenarios/bundled-scenarios.js";
import { InvalidScenario, type ScenarioError } from "../../scenarios/parse-scenario.js";
import { commandOfRow } from "../call/rows.js";
import { commandGroup, documentedCommand } from "../command-list.js";
import { adminTokenOption } from "../connection.js";
import { formatExitCodes } from "../errors.js";
import { withReportOptions } from "../output/junit.js";
import { type JsonFlag, printResult } from "../output/print.js";
import { formatCount, formatTable } from "../output/table.js";
import { recordScenarioCommand } from "./record.js";
import { runScenarios } from "./run.js";
import { readScenarioSource } from "./sources.js";

export const scenarioCommand = (): Command =>
  commandGroup(
    "scenario",
    [
      "standin scenario run payout-rejected",
      "standin scenario load demo-day",
      "standin scenario check scenarios/*.yaml",
    ],
    [listCommand(), commandOfRow("scenario load"), recordScenarioCommand(), runCommand(), checkCommand()],
  );

const listCommand = (): Command =>
  documentedCommand("list", "List the built-in scenarios. No sandbox is needed.", ["standin scenario list"])
    .option("--json", "print the list as one JSON document")
    .action(list);

async function list(flags: JsonFlag): Promise<void> {
  const scenarios = await readBundledScenarios();
  const items = scenarios.map(({ name, scenario }) => ({
    name,
    title: scenario.name,
    description: scenario.description ?? null,
    steps: scenario.steps?.length ?? 0,
  }));
  const rows = items.map(({ name, steps, description }) => [name, String(steps), description ?? ""]);
  printResult(flags, { items }, () => formatTable(["scenario", "steps", "description"], rows));
}

const runExitCodes = formatExitCodes({
  passed: "every step passed",
  failed: "a step failed, or a scenario was refused",
  couldNotRun: "the command line is invalid, a file cannot be read, or no sandbox answers",
  notTried: "no step failed, and a scenario has none",
});

const runCommand = (): Command =>
  withReportOptions(
    documentedCommand(
      "run",
      "Run scenarios step by step and check every step, each on a new account.",
      [
        "standin scenario run payout-rejected",
        "standin scenario run --all --junit scenarios.xml --html scenarios.html",
        "standin scenario run ./my-story.yaml --url http://127.0.0.1:4010",
      ],
      runExitCodes,
    )
      .argument("[scenarios...]", "names of built-in scenarios, or files")
      .option("--all", "run all built-in scenarios")
      .option("--html <file>", "write a page with a picture of each run")
      .optionsGroup("Sandbox and account:")
      .option("--url <url>", "URL of a running sandbox (default: a new sandbox in memory)")
      .option(
        "--key <key>",
        "API key of the account, which every scenario resets (default: a new key for each)",
      )
      .option(...adminTokenOption),
  ).action(runScenarios);

const checkCommand = (): Command =>
  documentedCommand("check", "Check scenario files for errors without running them.", [
    "standin scenario check ./my-story.yaml",
  ])
    .argument("<files...>", "scenario files")
    .option("--json", "print the errors as one JSON document")
    .action(check);

async function check(files: readonly string[], flags: JsonFlag): Promise<void> {
  const errors = (await Promise.all(files.map(readErrors))).flat();
  printResult(flags, { errors }, () =>
    errors.length === 0
      ? `${formatCount(files.length, "scenario")} checked, no errors.`
      : errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join("\n"),
  );
  if (errors.length > 0) process.exitCode = 1;
}

const readErrors = (file: string): Promise<readonly ScenarioError[]> =>
  readScenarioSource(file).then(
    () => [],
    (error: unknown) => {
      if (error instanceof InvalidScenario) return error.errors;
      throw error;
    },
  );
