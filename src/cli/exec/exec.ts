/** `standin exec`: a command, such as a client's tests, with a sandbox of its own for as long as it runs. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Command, Option } from "commander";
import { sayCoverage } from "../../library/coverage-summary.js";
import type { CoverageReport } from "../../library/types.js";
import { colorsOnStderr as colors } from "../colors.js";
import { readConfig } from "../config.js";
import { CommandFailure } from "../control-api.js";
import {
  allowOriginOption,
  assumeOption,
  portOption,
  type SettingsFlags,
  withBehaviour,
} from "../sandbox-options.js";
import { taught } from "../taught.js";
import { freshKeyOption, keyOf, saysEnvironment, startTestBed, type TestBed } from "../test-bed.js";
import { type Ended, runInPlace } from "./child.js";

interface Flags extends SettingsFlags {
  port?: number;
  key?: string;
  coverage?: string;
  summary: boolean;
  json?: true;
}

const exitCodes = `Exit codes: the command's own; 128 and the signal's number when a signal ended it; 127 when it does not exist,
126 when it cannot be run; 2 when it was not started, since the command line of standin exec is wrong or the port
is taken; 1 when it was fine and --coverage cannot be written.`;

const what = "Run a command, such as your tests, with a sandbox of its own: in memory, on a free port.";

const examples = [
  "standin exec -- npm test",
  "standin exec --seed 7 --assume http.created=ok -- npx vitest run",
  "standin exec --coverage coverage/standin.json --no-summary -- pytest -q",
  `standin exec -- sh -c 'curl -H "X-Service-Key: $SERVICE_KEY" $SERVICE_BASE_URL/v1/balance'`,
];

export const execCommand = (): Command =>
  withBehaviour(
    taught("exec", what, examples, saysEnvironment, exitCodes)
      .usage("[options] -- <command...>")
      .argument("<command...>", "what to run, after --; stdout is its alone")
      .passThroughOptions()
      .addOption(portOption("0"))
      .addOption(allowOriginOption()),
  )
    .addOption(assumeOption())
    .addOption(freshKeyOption())
    .optionsGroup("What was tried, when it is over:")
    .option("--coverage <file>", "write the coverage there as JSON, whatever else is printed")
    .addOption(new Option("--no-summary", "print no coverage summary on stderr").conflicts("json"))
    .option(
      "--json",
      "in place of the summary, end stderr with one line of JSON: exit_code, signal and coverage",
    )
    .action(exec);

async function exec(command: readonly string[], flags: Flags): Promise<void> {
  const config = await readConfig(flags.config);
  const bed = await startTestBed({ flags, config, key: keyOf(flags), port: flags.port ?? 0 });
  try {
    const end = await runInPlace(command, bed.env);
    process.exitCode = end.code;
    await tell(bed, end, flags);
  } finally {
    await bed.sandbox.close();
  }
}

async function tell({ api }: TestBed, { code, signal }: Ended, flags: Flags): Promise<void> {
  const { value: coverage } = await api.call<CoverageReport>("GET", "/coverage");
  const failure = flags.coverage === undefined ? null : await keep(flags.coverage, coverage);
  if (flags.json) process.stderr.write(`${JSON.stringify({ exit_code: code, signal, coverage })}\n`);
  else if (flags.summary)
    process.stderr.write(`\n${colors.bold("Coverage of the service:")} ${sayCoverage(coverage)}\n`);
  if (failure === null) return;
  if (code === 0) throw new CommandFailure(failure);
  process.stderr.write(`standin: ${failure}\n`);
}

/** Why it cannot be written; null once it is. */
async function keep(file: string, coverage: CoverageReport): Promise<string | null> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(coverage, null, 2)}\n`);
    return null;
  } catch (error) {
    return `the coverage cannot be written to ${file}: ${(error as Error).message}`;
  }
}
