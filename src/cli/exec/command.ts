/** `standin exec`: runs a command, such as a client's tests, with its own sandbox. */
import type { Command } from "commander";
import { formatCoverage } from "../../client/account/format.js";
import { html } from "../../documents/html.js";
import { describeFailedRule } from "../../exam/conduct/rules.js";
import type { RuleFields } from "../../rules/rules.js";
import { topCommand } from "../command-list.js";
import {
  conductModes,
  coverageFile,
  formatFinding,
  type GateFlags,
  gateOptions,
  isGated,
  judgeCoverage,
  reportTargets,
} from "../coverage/gate.js";
import { formatExitCodes, printError, UsageError } from "../errors.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import { stderrColors } from "../output/print.js";
import {
  conclude,
  formatSections,
  outputs,
  type Report,
  type ReportRow,
  writeReport,
} from "../output/report.js";
import { formatStories, readStories } from "../output/story-page.js";
import {
  behaviour,
  collectList,
  portFlag,
  readConfig,
  type SandboxFlags,
  sandboxOption,
} from "../sandbox-options.js";
import { readValidSource } from "../scenario/sources.js";
import {
  calledNothing,
  environmentHelp,
  isUsed,
  keyOf,
  newKeyOption,
  type TemporarySandbox,
} from "../temporary-sandbox.js";
import { type ExitStatus, runInForeground, runUnder } from "./run-under.js";

const exitHelp = `The exit code is the exit code of the command if that is not 0; 128 plus the number of the signal that ended it; 127 if it
does not exist; 126 if it cannot be run.
${formatExitCodes({
  passed: "the command succeeded",
  failed:
    "it succeeded, and the coverage or the conduct is not what was asked for, or a report cannot be written",
  couldNotRun:
    "it was not started, because the command line of standin exec is invalid or the port is in use",
  notTried:
    "it succeeded without a request to the service, and --min-coverage or --conduct fail was to judge it",
})}`;

const examples = [
  "standin exec -- npm test",
  "standin exec --seed 7 --assume http.created=ok -- npx vitest run",
  "standin exec --coverage coverage/standin.json --no-summary -- pytest -q",
  "standin exec --with exam/absorbed-getBalance-rate-limited.yaml -- npm test",
  "standin exec --html reports/standin.html -- npm test",
  "standin exec --min-coverage operations=40,outcomes=20 --junit reports/standin.xml -- npm test",
  `standin exec -- sh -c 'curl -H "X-Service-Key: $SERVICE_KEY" $SERVICE_BASE_URL/v1/balance'`,
];

const own = flagTable(null, [
  portFlag(),
  newKeyOption,
  [
    "--with <file>",
    "give every account the rules of a scenario file, such as the rules of an exam's finding; repeatable",
    { parse: collectList },
  ],
]);

const judgement = flagTable("Coverage of the service:", [
  ["--coverage <file>", "write the coverage report to this file as JSON", { env: "STANDIN_COVERAGE" }],
  [
    "--conduct <mode>",
    "what to do about requests and webhook answers that would hurt with the real service: tell (warn), fail the run (fail), or nothing (off)",
    { choices: conductModes, default: "warn", env: "STANDIN_CONDUCT" },
  ],
]);

const output = flagTable(null, [
  outputs.html,
  ["--no-summary", "do not print the coverage summary on stderr"],
  [
    "--json",
    "instead of the summary, end stderr with one line of JSON: exit_code, signal, coverage and conduct",
  ],
]);

type Flags = SandboxFlags & GateFlags & FlagsOf<typeof own> & FlagsOf<typeof judgement>;

export const execCommand = (): Command =>
  withFlags(
    topCommand("exec", examples, environmentHelp, exitHelp)
      .usage("[options] -- <command...>")
      .argument("<command...>", "command to run, after --; nothing else writes to stdout")
      .passThroughOptions(),
    own,
    flagTable("Address:", [sandboxOption("allowOrigins")]),
    behaviour,
    judgement,
    gateOptions,
    output,
  ).action(exec);

async function exec(command: readonly string[], flags: Flags): Promise<void> {
  if (flags.json && flags.summary === false)
    throw new UsageError("--no-summary cannot be used with --json, which replaces the summary");
  const config = await readConfig(flags.config);
  const rules = await readRules(flags.with ?? []);
  const key = keyOf(flags);
  await runUnder(
    { flags, config, key, port: flags.port ?? 0, rulesOf: () => rules },
    (env) => runInForeground(command, env),
    async (status, sandbox) => {
      process.exitCode = status.code;
      await reportCoverage(sandbox, command, status, flags);
    },
  );
}

async function reportCoverage(
  { api }: TemporarySandbox,
  command: readonly string[],
  status: ExitStatus,
  flags: Flags,
): Promise<void> {
  const { code, signal } = status;
  const { value: coverage } = await api.call("getCoverage");
  const judgement = flags.conduct === "off" ? null : (await api.call("getConduct")).value;
  const conduct = judgement?.findings ?? null;
  for (const { rule, error } of judgement?.failed ?? []) printError(describeFailedRule(rule, error));
  const isUnused = !(await isUsed(api, coverage));
  const untried = isUnused && isGated(flags) ? calledNothing : null;
  const findings = conduct ?? [];
  const judged = judgeCoverage({ coverage, conduct, rows: [toRow(command, status)], untried }, flags);
  const report: Report = {
    ...judged,
    document: { exit_code: code, signal, coverage, conduct },
    text: () =>
      [
        `\n${stderrColors.bold("Coverage of the service:")} ${formatCoverage(coverage)}`,
        ...findings.map(formatFinding),
      ].join("\n\n"),
    page: async () => ({
      title: command.join(" "),
      verdict: code === 0 ? verdicts[judged.outcome] : describeEnd(status),
      ...(code === 0 ? {} : { tone: "bad" as const }),
      content: html`${formatSections(judged.sections)}<h2>What happened on each account</h2>
${formatStories(await readStories(api))}`,
    }),
    files: coverageFile(flags.coverage, coverage),
  };
  const problems = await writeReport(report, reportTargets(flags));
  if (flags.json) process.stderr.write(`${JSON.stringify(report.document)}\n`);
  else if (flags.summary !== false) {
    process.stderr.write(`${report.text()}\n`);
    if (isUnused && !untried) printError(calledNothing);
  }
  if (code === 0) return conclude(report, problems);
  for (const problem of [...problems, ...(report.reasons ?? [])]) printError(problem);
}

/** Returns the row of the command in the report. */
function toRow(command: readonly string[], status: ExitStatus): ReportRow {
  const row = { group: "exec", name: command.join(" "), seconds: status.durationMs / 1000 };
  return status.code === 0
    ? { ...row, verdict: "passed" }
    : { ...row, verdict: "failed", text: describeEnd(status) };
}

/** Verdicts of a page about a command that has not failed itself. */
const verdicts: Readonly<Record<Report["outcome"], string>> = {
  passed: "passed",
  failed: "failed",
  couldNotRun: "could not run",
  notTried: "nothing was tried",
};

const describeEnd = ({ code, signal }: ExitStatus): string =>
  signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;

/**
 * Reads the rules for every account of a run from scenario files. Rejects with a UsageError for a scenario without rules, or
 * with more than rules.
 */
async function readRules(files: readonly string[]): Promise<RuleFields[]> {
  const sources = await Promise.all(files.map(readValidSource));
  return sources.flatMap(({ file, name, scenario }) => {
    const others = Object.keys(scenario).filter((part) => !["name", "description", "rules"].includes(part));
    if (others.length > 0)
      throw new UsageError(
        `--with takes rules alone, and ${file} also has ${others.join(", ")}; "standin scenario run ${file}" plays it`,
      );
    if (!scenario.rules) throw new UsageError(`--with takes rules, and ${file} has none`);
    return scenario.rules.map((rule) => ({ ...rule, scenario: name }));
  });
}
