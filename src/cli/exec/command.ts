/** `standin exec`: runs a command, such as a client's tests, with its own sandbox. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Command, Option } from "commander";
import { formatCoverage } from "../../client/account/format-coverage.js";
import type { CoverageReport } from "../../client/account/types.js";
import { readConfig } from "../config.js";
import { documentedCommand } from "../documented-command.js";
import { CommandError, printError } from "../errors.js";
import { stderrColors } from "../output/print.js";
import { portOption, type SandboxFlags, withBehaviour, withFields } from "../sandbox-options.js";
import {
  environmentHelp,
  keyOf,
  startTemporarySandbox,
  type TemporarySandbox,
} from "../temporary-sandbox.js";
import { type ExitStatus, runInForeground } from "./child-process.js";

interface Flags extends SandboxFlags {
  port?: number;
  key?: string;
  coverage?: string;
  summary: boolean;
  json?: true;
}

const exitCodes = `Exit codes: that of the command, or 128 plus the number of the signal that ended it; 127 if the command does not
exist; 126 if it cannot be run; 2 if it was not started, because the command line of standin exec is invalid or the port
is in use; 1 if it succeeded and the coverage report cannot be written.`;

const description = "Run a command, such as your tests, with its own sandbox: in memory, on a free port.";

const examples = [
  "standin exec -- npm test",
  "standin exec --seed 7 --assume http.created=ok -- npx vitest run",
  "standin exec --coverage coverage/standin.json --no-summary -- pytest -q",
  `standin exec -- sh -c 'curl -H "X-Service-Key: $SERVICE_KEY" $SERVICE_BASE_URL/v1/balance'`,
];

export const execCommand = (): Command =>
  withBehaviour(
    withFields(
      documentedCommand("exec", description, examples, environmentHelp, exitCodes)
        .usage("[options] -- <command...>")
        .argument("<command...>", "command to run, after --; nothing else writes to stdout")
        .passThroughOptions()
        .addOption(portOption()),
      "Address:",
      ["allowOrigins"],
    ),
  )
    .option("--key <key>", "API key of the account (default: a new test key)")
    .optionsGroup("Coverage of the service:")
    .option("--coverage <file>", "write the coverage report to this file as JSON")
    .addOption(new Option("--no-summary", "do not print the coverage summary on stderr").conflicts("json"))
    .option(
      "--json",
      "instead of the summary, end stderr with one line of JSON: exit_code, signal and coverage",
    )
    .action(exec);

async function exec(command: readonly string[], flags: Flags): Promise<void> {
  const config = await readConfig(flags.config);
  const sandbox = await startTemporarySandbox({ flags, config, key: keyOf(flags), port: flags.port ?? 0 });
  try {
    const status = await runInForeground(command, sandbox.env);
    process.exitCode = status.code;
    await reportCoverage(sandbox, status, flags);
  } finally {
    await sandbox.close();
  }
}

async function reportCoverage(
  { api }: TemporarySandbox,
  { code, signal }: ExitStatus,
  flags: Flags,
): Promise<void> {
  const { value: coverage } = await api.call("getCoverage");
  const failure = flags.coverage === undefined ? null : await writeCoverage(flags.coverage, coverage);
  if (flags.json) process.stderr.write(`${JSON.stringify({ exit_code: code, signal, coverage })}\n`);
  else if (flags.summary) {
    process.stderr.write(`\n${stderrColors.bold("Coverage of the service:")} ${formatCoverage(coverage)}\n`);
    const isUnused = coverage.summary.operations.exercised === 0 && !(await hasOtherAccounts(api));
    if (isUnused) process.stderr.write(`${unusedHint}\n`);
  }
  if (failure === null) return;
  if (code === 0) throw new CommandError(failure);
  printError(failure);
}

const unusedHint =
  "Nothing called the service: the command has to send its requests to the address in STANDIN_URL (also SERVICE_BASE_URL).";

/** Returns whether the command opened accounts of its own, whose calls the coverage of the first account lacks. */
async function hasOtherAccounts(api: TemporarySandbox["api"]): Promise<boolean> {
  const { value } = await api.call("listAccounts");
  return value.items.length > 1;
}

/** Writes the report, and returns why that failed or null. */
async function writeCoverage(file: string, coverage: CoverageReport): Promise<string | null> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(coverage, null, 2)}\n`);
    return null;
  } catch (error) {
    return `the coverage report cannot be written to ${file}: ${(error as Error).message}`;
  }
}
