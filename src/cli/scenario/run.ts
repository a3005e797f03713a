/** `standin scenario`: lists, loads, runs and checks scenarios. */

import type { Command } from "commander";
import { SandboxAccount } from "../../client/account/account.js";
import { ControlError, NoSandbox } from "../../client/client.js";
import { describeStep } from "../../client/scenario-run/describe.js";
import type { ScenarioResult, StepResult } from "../../client/scenario-run/run-scenario.js";
import { bundledScenarioNames, readBundledScenarios } from "../../scenarios/bundled-scenarios.js";
import { InvalidScenario, type ScenarioError } from "../../scenarios/parse-scenario.js";
import { newKey } from "../../world/account/account-id.js";
import { commandOfRow } from "../call/rows.js";
import { commandGroup, documentedCommand } from "../command-list.js";
import { adminTokenOption, connectionOf, httpFetch } from "../connection.js";
import { formatExitCodes, UsageError } from "../errors.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import {
  colors,
  formatCount,
  formatTable,
  type JsonFlag,
  jsonOption,
  print,
  printResult,
  toOneLine,
} from "../output/print.js";
import {
  outputs,
  publish,
  type Report,
  type ReportFlags,
  type ReportRow,
  reportOptions,
} from "../output/report.js";
import { formatStories, maxDrawn, type ToldStory } from "../output/story-page.js";
import type { TemporarySandbox } from "../temporary-sandbox.js";
import { recordScenarioCommand } from "./record.js";
import { readScenarioSource, readSources, type ScenarioSource } from "./sources.js";

const options = flagTable(null, [["--all", "run all built-in scenarios"]]);

const connection = flagTable("Sandbox and account:", [
  ["--url <url>", "URL of a running sandbox (default: a new sandbox in memory)"],
  ["--key <key>", "API key of the account, which every scenario resets (default: a new key for each)"],
  adminTokenOption,
]);

type Flags = ReportFlags & FlagsOf<typeof options> & FlagsOf<typeof connection>;

export async function runScenarios(names: readonly string[], flags: Flags): Promise<void> {
  const wanted = flags.all ? [...(await bundledScenarioNames()), ...names] : names;
  if (wanted.length === 0)
    throw new UsageError(
      'name scenarios or files, or use --all; "standin scenario list" lists the scenarios',
    );
  const sources = await readSources(wanted);
  const sandbox = flags.url === undefined ? await startSandbox() : null;
  const reached = sandbox
    ? { baseUrl: sandbox.api.baseUrl, isInProcess: true as const }
    : connectionOf(flags);
  const results: ScenarioResult[] = [];
  const stories: ToldStory[] = [];
  try {
    for (const source of sources) {
      const key = flags.key ?? newKey(source.scenario.account);
      const account = new SandboxAccount({ ...reached, key, fetch: httpFetch });
      const result = await runScenario(source, account, flags);
      results.push(result);
      if (flags.html !== undefined) stories.push(await tellRun(source, result, account));
    }
  } finally {
    await sandbox?.close();
  }
  const empty = sources.filter(({ scenario: { steps = [] } }) => steps.length === 0);
  const hasFailed = results.some(({ passed, steps }) => !passed && steps.length > 0);
  const report: Report = {
    title: "scenarios",
    outcome: hasFailed ? "failed" : empty.length > 0 ? "notTried" : "passed",
    reasons:
      empty.length > 0 && !hasFailed
        ? [
            `nothing was tried: ${empty.map(({ file }) => file).join(", ")} without steps; "standin scenario load" loads one`,
          ]
        : [],
    rows: toRows(sources, results),
    document: { scenarios: results },
    text: () => formatSummary(results),
    page: () => ({ title: "Scenarios", verdict: formatSummary(results), content: formatStories(stories) }),
  };
  await publish(report, flags);
}

const tellRun = async (
  { scenario: { description } }: ScenarioSource,
  { name, steps }: ScenarioResult,
  account: SandboxAccount,
): Promise<ToldStory> => ({
  title: name,
  ...(description === undefined ? {} : { text: description }),
  notes: steps.map(({ title, problems, passed }) => ({
    text: [title, ...problems].join("; "),
    isGood: passed,
  })),
  activities: await account.activity.list({ limit: maxDrawn }),
});

async function startSandbox(): Promise<TemporarySandbox> {
  const { startTemporarySandbox } = await import("../temporary-sandbox.js");
  return startTemporarySandbox({ flags: {}, config: {}, key: newKey() });
}

async function runScenario(
  { scenario, file, readFixture }: ScenarioSource,
  account: SandboxAccount,
  { json }: Flags,
): Promise<ScenarioResult> {
  const printLine = (line: string) => {
    if (!json) print(`${line}\n`);
  };
  printLine(`${colors.bold(scenario.name)} ${colors.dim(file)}`);
  try {
    const result = await account.scenario.run(scenario, {
      readFixture,
      onStep: (step) => printLine(formatStep(step)),
    });
    printLine("");
    return result;
  } catch (error) {
    if (error instanceof ControlError) {
      const result = notLoaded(scenario, error.message);
      for (const step of result.steps) printLine(`${formatStep(step)}\n`);
      return result;
    }
    if (error instanceof NoSandbox) throw new UsageError(error.message);
    throw error;
  }
}

/** Returns the result of a scenario that was refused. The others still run. */
const notLoaded = ({ name, steps = [] }: ScenarioSource["scenario"], problem: string): ScenarioResult => ({
  name,
  passed: false,
  steps: [
    {
      step: 0,
      kind: "given",
      title: "load the scenario",
      passed: false,
      problems: [problem],
      duration_ms: 0,
    },
  ],
  skipped: steps.length,
  duration_ms: 0,
});

function formatStep({ passed, step, title, problems }: StepResult): string {
  const mark = passed ? colors.green("✓") : colors.red("✗");
  const line = `  ${mark} ${step}. ${toOneLine(title)}`;
  return [line, ...problems.map((problem) => `      ${toOneLine(problem)}`)].join("\n");
}

function formatSummary(results: readonly ScenarioResult[]): string {
  const passed = results.filter((result) => result.passed).length;
  const steps = results.reduce((sum, result) => sum + result.steps.length, 0);
  const seconds = results.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / 1_000;
  return `${passed} of ${formatCount(results.length, "scenario")} passed, ${formatCount(steps, "step")}, ${seconds.toFixed(1)} s.`;
}

const toRows = (sources: readonly ScenarioSource[], results: readonly ScenarioResult[]): ReportRow[] =>
  results.flatMap(({ name, steps, skipped }, index): ReportRow[] => [
    ...steps.map(({ step, title, problems, duration_ms }) => ({
      group: sources[index]?.name ?? name,
      name: `${step}. ${title}`,
      seconds: duration_ms / 1_000,
      ...(problems.length === 0
        ? { verdict: "passed" as const }
        : { verdict: "failed" as const, text: problems.join("; ") }),
    })),
    ...skippedRows(sources[index], skipped),
    ...(steps.length === 0 ? [noSteps(sources[index]?.name ?? name)] : []),
  ]);

/** Returns the row of a scenario without steps, which CI services must report as a failure. */
const noSteps = (group: string): ReportRow => ({
  group,
  name: "steps",
  verdict: "failed",
  text: "there are none",
});

function skippedRows(source: ScenarioSource | undefined, skipped: number): ReportRow[] {
  const { name = "", scenario } = source ?? {};
  const steps = [...(scenario?.steps ?? []).entries()].slice(-skipped || Number.POSITIVE_INFINITY);
  return steps.map(([index, step]) => ({
    group: name,
    name: `${index + 1}. ${step.say ?? describeStep(step)}`,
    verdict: "skipped",
    text: "an earlier step failed",
  }));
}

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
  withFlags(
    documentedCommand("list", "List the built-in scenarios. No sandbox is needed.", [
      "standin scenario list",
    ]),
    jsonOption("print the list as one JSON document"),
  ).action(list);

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
  withFlags(
    documentedCommand(
      "run",
      "Run scenarios step by step and check every step, each on a new account.",
      [
        "standin scenario run payout-rejected",
        "standin scenario run --all --junit scenarios.xml --html scenarios.html",
        "standin scenario run ./my-story.yaml --url http://127.0.0.1:4010",
      ],
      runExitCodes,
    ).argument("[scenarios...]", "names of built-in scenarios, or files"),
    options,
    connection,
    reportOptions(outputs.html),
  ).action(runScenarios);

const checkCommand = (): Command =>
  withFlags(
    documentedCommand("check", "Check scenario files for errors without running them.", [
      "standin scenario check ./my-story.yaml",
    ]).argument("<files...>", "scenario files"),
    jsonOption("print the errors as one JSON document"),
  ).action(check);

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
