/** `standin assumptions`: lists the assumptions, or finds the assumptions that a client depends on. */
import type { Command } from "commander";
import type { CoverageReport } from "../../client/account/types.js";
import type { CallReply } from "../../client/client.js";
import { minute } from "../../time/time.js";
import { topCommand } from "../command-list.js";
import { type ConnectionFlags, controlOptions } from "../connection.js";
import { CommandError, exitCodes, formatExitCodes, UsageError } from "../errors.js";
import {
  type CapturedRun,
  formatExit,
  hasPassed,
  lastLines,
  runCaptured,
  runUnder,
  stopSignal,
} from "../exec/run-under.js";
import { type FlagsOf, flagTable, withFlags } from "../flags.js";
import { colors, formatCount, formatTable, printResult } from "../output/print.js";
import { withProgress } from "../output/progress.js";
import { outputs, publish, type Report, type ReportFlags, type ReportRow } from "../output/report.js";
import {
  behaviour,
  collectList,
  parseTimeoutFlag,
  readConfig,
  type SandboxFlags,
  toBehaviour,
} from "../sandbox-options.js";
import {
  askAnySandbox,
  calledNothing,
  environmentHelp,
  isUsed,
  keyOf,
  type TemporarySandboxOptions,
} from "../temporary-sandbox.js";
import { operationsByAssumption, type Variation, variationsOf } from "./variations.js";

const varyHelp = `With --vary, the command first runs with the values in force and must pass. It then runs once for every other value of
each assumption that its requests involve, each time with a new sandbox. If such a run fails, the command depends on
that assumption.
${formatExitCodes({
  passed: "it depends on none",
  failed: "it depends on some, or fails with the values in force",
  notTried: "no value was tried, because the requests of the first run involve none of the assumptions",
})}`;

const examples = [
  "standin assumptions",
  "standin assumptions --vary -- npm test",
  "standin assumptions --vary --only http.created,errors.body --bail --timeout 2m -- npm test",
];

export const assumptionsCommand = (): Command =>
  withFlags(
    topCommand("assumptions", examples, varyHelp, environmentHelp)
      .usage("[options] | --vary [options] -- <command...>")
      .argument("[command...]", "with --vary: command to run, such as your tests, after --")
      .passThroughOptions(),
    varyOptions,
    behaviour,
    ...controlOptions("print the result as one JSON document"),
    flagTable(null, [outputs.junit]),
  ).action(assumptions);

/** Options that have an effect without --vary. */
const listOptions = ["url", "key", "adminToken", "json"];

async function assumptions(given: readonly string[], flags: VaryFlags, command: Command): Promise<void> {
  if (flags.vary) {
    if (given.length === 0)
      throw new UsageError(
        `--vary requires a command after --, such as "standin assumptions --vary -- npm test"`,
      );
    return vary(given, flags);
  }
  const unused = command.options.find(
    (option) =>
      !listOptions.includes(option.attributeName()) &&
      command.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (unused) throw new UsageError(`${unused.long} requires --vary`);
  if (given.length > 0) throw new UsageError(`a command requires --vary; got ${given.join(" ")}`);
  const { value } = await askAnySandbox(flags, (api) => api.call("listAssumptions"));
  printResult(flags, value, formatAssumptions);
}

function formatAssumptions({ items }: CallReply<"listAssumptions">): string {
  const rows = items.map(({ id, question, value, values, validated }) => [
    id,
    value ?? "-",
    values.filter((other) => other !== value).join(", ") || "-",
    value === null ? "-" : (validated?.age ?? "never"),
    question,
  ]);
  return [
    formatTable(["assumption", "value", "other values", "validated", "question"], rows),
    "",
    'For answers and reasons, see contracts/ASSUMPTIONS.md or --json. "standin start --assume ID=VALUE" sets a value.',
  ].join("\n");
}

const varyOptions = flagTable("Dependencies on assumptions:", [
  ["--vary", "run a command with other values", { conflicts: ["url", "adminToken"] }],
  ["--only <ids>", "vary only these assumptions, comma-separated; repeatable", { parse: collectList }],
  ["--all", "also vary assumptions that the requests of the first run do not involve"],
  ["--bail", "stop at the first dependency"],
  ["--timeout <duration>", "time limit of each run, such as 90s (default 10m)", { parse: parseTimeoutFlag }],
  ["--verbose", "print the complete output of every run on stderr"],
]);

type VaryFlags = SandboxFlags & ReportFlags & ConnectionFlags & FlagsOf<typeof varyOptions>;

const defaultTimeoutMs = 10 * minute;

/** Runs the command with these values, and reports what it called. */
type Observe = (
  title: string,
  assumptions: Record<string, string>,
) => Promise<{ run: CapturedRun; coverage: CoverageReport; isUsed: boolean }>;

async function vary(command: readonly string[], flags: VaryFlags): Promise<void> {
  const config = await readConfig(flags.config);
  const variations = variationsOf(toBehaviour(flags, config).assumptions ?? {}, flags.only ?? null);
  // All runs share a key: with the same seed they get the same ids, and differ only in the varied value.
  const observe = observer(command, flags, { flags, config, key: keyOf(flags) });
  const { run, coverage, isUsed } = await observe("the defaults", {});
  if (!hasPassed(run)) throw firstRunError(run, flags);
  if (!isUsed) throw new CommandError(calledNothing, exitCodes.notTried.code);
  const touched = operationsByAssumption(coverage);
  const results: VariationResult[] = [];
  for (const variation of variations) {
    const { assumption, alternative } = variation;
    const title = `${assumption}=${alternative}`;
    const operations = touched.get(assumption) ?? [];
    const skipped = skipReason(operations, results, flags);
    const varied = skipped ? null : (await observe(title, { [assumption]: alternative })).run;
    const result = skipped ?? (varied && hasPassed(varied) ? "same" : "depends");
    results.push({ ...variation, operations, result, run: varied });
    if (varied && result === "depends") printFailure(title, varied, flags);
  }
  await publish(toReport(command, run, results), flags);
}

function skipReason(
  operations: readonly string[],
  results: readonly VariationResult[],
  { all, bail }: VaryFlags,
): "not run" | "not touched" | null {
  if (bail && results.some(({ result }) => result === "depends")) return "not run";
  return operations.length === 0 && !all ? "not touched" : null;
}

/** Returns a function that runs the command with a new sandbox each time. */
function observer(command: readonly string[], flags: VaryFlags, options: TemporarySandboxOptions): Observe {
  const stopped = stopSignal();
  const { timeout = defaultTimeoutMs, verbose: isVerbose = false } = flags;
  return (title, assumptions) => {
    const running = runUnder(
      { ...options, assumptions },
      (env) => runCaptured(command, env, { timeout, stopped, shownAs: isVerbose ? title : undefined }),
      async (run, { api }) => {
        stopped.throwIfAborted();
        const { value: coverage } = await api.call("getCoverage");
        return { run, coverage, isUsed: await isUsed(api, coverage) };
      },
    );
    return isVerbose ? running : withProgress(`the run with ${title}`, running);
  };
}

function firstRunError(run: CapturedRun, flags: VaryFlags): CommandError {
  printFailure("the defaults", run, flags);
  const hint = run.timedOut ? "raise the limit with --timeout" : "it must pass before anything can be varied";
  return new CommandError(`the command failed with the defaults (${formatExit(run)}); ${hint}`);
}

function printFailure(title: string, run: CapturedRun, { verbose, json }: VaryFlags): void {
  if (verbose || json) return;
  const lines = lastLines(run.output).map((line) => `  ${line}`);
  process.stderr.write(`With ${title} the command failed (${formatExit(run)}):\n${lines.join("\n")}\n\n`);
}

interface VariationResult extends Variation {
  /** `depends`: the command fails with the alternative. */
  readonly result: "same" | "depends" | "not touched" | "not run";
  /** Operations that the first run called and that the assumption affects. */
  readonly operations: readonly string[];
  readonly run: CapturedRun | null;
}

const namedOperations = 3;

const dependencies = (results: readonly VariationResult[]): string[] => [
  ...new Set(results.filter(({ result }) => result === "depends").map(({ assumption }) => assumption)),
];

function formatVariations(results: readonly VariationResult[]): string {
  const rows = results.map(({ assumption, inForce, alternative, result, operations, run }) => [
    assumption,
    inForce,
    alternative,
    result === "depends" && run ? `depends: ${formatExit(run)}` : result,
    formatOperations(operations),
  ]);
  const headings = ["assumption", "value", "alternative", "result", "operations"];
  return `${formatTable(headings, rows)}\n\n${formatVerdict(results)}`;
}

function formatOperations(operations: readonly string[]): string {
  if (operations.length === 0) return "-";
  const others = operations.length - namedOperations;
  const named = operations.slice(0, namedOperations).join(", ");
  return others > 0 ? `${named} and ${formatCount(others, "other")}` : named;
}

function formatVerdict(results: readonly VariationResult[]): string {
  const found = dependencies(results);
  const untouched = results.filter(({ result }) => result === "not touched").length;
  const skipped =
    untouched > 0 ? ` ${formatCount(untouched, "alternative")} not touched; --all runs them too.` : "";
  if (results.every(({ run }) => run === null)) return `Nothing was tried.${skipped}`;
  return found.length === 0
    ? `${colors.green("The command depends on none of these assumptions.")}${skipped}`
    : `${colors.red(`The command depends on ${formatCount(found.length, "assumption")}: ${found.join(", ")}.`)}${skipped}`;
}

const untried =
  "nothing was tried: the requests of the command involve none of these assumptions; --all varies them too";

function toReport(
  command: readonly string[],
  firstRun: CapturedRun,
  results: readonly VariationResult[],
): Report {
  const found = dependencies(results);
  const isUntried = results.every(({ run }) => run === null);
  return {
    title: "assumptions",
    outcome: found.length > 0 ? "failed" : isUntried ? "notTried" : "passed",
    reasons: isUntried ? [untried] : [],
    rows: results.map(toRow),
    document: {
      command,
      duration_ms: firstRun.durationMs,
      depends_on: found,
      results: results.map(toDocument),
    },
    text: () => formatVariations(results),
  };
}

function toRow({ assumption, alternative, result, run }: VariationResult): ReportRow {
  const row = { group: assumption, name: alternative, seconds: (run?.durationMs ?? 0) / 1000 };
  if (run === null) return { ...row, verdict: "skipped", text: result };
  return result === "same"
    ? { ...row, verdict: "passed" }
    : { ...row, verdict: "failed", text: `depends: ${formatExit(run)}` };
}

const toDocument = ({ assumption, inForce, alternative, result, operations, run }: VariationResult) => ({
  assumption,
  in_force: inForce,
  alternative,
  result: result.replace(" ", "_"),
  operations,
  exit_code: run?.code ?? null,
  signal: run?.signal ?? null,
  timed_out: run?.timedOut ?? false,
  duration_ms: run?.durationMs ?? null,
  output: run && result === "depends" ? lastLines(run.output) : null,
});
