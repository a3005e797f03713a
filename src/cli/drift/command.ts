/** `standin drift`: compares the sandbox with the real service. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { defaultLockFile } from "../../contract/drift-lock.js";
import { groups } from "../../drift/groups.js";
import { parseDuration } from "../../time/time.js";
import { topCommand } from "../command-list.js";
import { formatExitCodes, UsageError } from "../errors.js";
import { withReportOptions } from "../output/report.js";
import { collectList, parseCount, parsePort, withBehaviour, withVariable } from "../sandbox-options.js";
import type { DriftFlags } from "./flags.js";

const notes = `Each assumption that can be switched has a probe. Verdicts: confirmed; contradicted, with the --assume flag that makes the
sandbox agree; neither, if the service has none of the values; not testable, with what is missing; could not check, if the
service did not answer. Checks ask both sides for their refusals, limits, prices, states and webhooks, and what differs is
asked twice. Scenarios are played twice on both sides, and what only one of the two shows is noise.
Only operations under /v1 are called, and references begin with standin-drift-. Use a test account of its own: the run
may save a business profile and a payout account there.`;

const exitCodesHelp = formatExitCodes({
  passed: "no drift",
  failed: "drift was found, or with --check the lock file does not pass",
  couldNotRun: "the command line is invalid, or the service refuses the key",
  notTried: "no drift was found, and something could not be checked or nothing was tried",
});

const examples = [
  "standin drift --against https://api.example.com --key $TEST_KEY --dry-run",
  "standin drift --against https://api.example.com --key $TEST_KEY --only general,phone --otp-cmd ./read-code.sh",
  "standin drift --against https://api.example.com --key $TEST_KEY --write-config --junit drift.xml",
  "standin drift --check --min confirmed=60% --max-age 30d",
  "standin drift --diff old.lock.json drift.lock.json",
];

/** Parses a duration of 0 or more into ms. */
function parseWait(text: string): number {
  const ms = text === "0" ? 0 : parseDuration(text);
  if (ms === null) throw new InvalidArgumentError("A duration is written like 0, 500ms, 90s or 5m.");
  return ms;
}

/** Parses `confirmed=80%` into 80. */
function parseShare(text: string): number {
  const percent = /^confirmed=(\d{1,3}(?:\.\d+)?)%?$/.exec(text)?.[1];
  if (percent === undefined || Number(percent) > 100)
    throw new InvalidArgumentError("It must be a percentage, such as confirmed=80%.");
  return Number(percent);
}

function parseAmount(text: string): number {
  if (!/^\d+(?:\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError("An amount is a number of naira.");
  return Number(text);
}

export const driftCommand = (): Command =>
  withReportOptions(withBehaviour(withWhatToCheck(withMeans(withService(create())))), "markdown")
    .option("--lock <file>", `file that keeps what was observed (default ${defaultLockFile})`)
    .option("--write-config", "write the values that the service contradicts into the config file")
    .optionsGroup("Check the lock file:")
    .option("--check", "check the lock file without calling the service")
    .addOption(
      new Option("--max-age <duration>", "maximum age of an observation (default 30d)").argParser(parseWait),
    )
    .addOption(
      new Option(
        "--min <share>",
        "least share of what the service has to confirm, such as confirmed=80%",
      ).argParser(parseShare),
    )
    .option("--badge <file>", "also write that share as a badge, an SVG for a README")
    .option("--diff <locks...>", "compare what two lock files have observed")
    .action(drift);

const create = (): Command => topCommand("drift", examples, notes, exitCodesHelp);

const withService = (command: Command): Command =>
  command
    .optionsGroup("Real service:")
    .addOption(
      withVariable(new Option("--against <url>", "base URL of the service"), "STANDIN_DRIFT_AGAINST"),
    )
    .addOption(withVariable(new Option("--key <key>", "test key of the service"), "STANDIN_DRIFT_KEY"))
    .addOption(
      withVariable(
        new Option("--session-token <token>", "token of the dashboard, for domain verifications"),
        "STANDIN_DRIFT_SESSION_TOKEN",
      ),
    )
    .addOption(
      new Option(
        "--pace <duration>",
        "minimum time between two requests (default 150ms; 0 for none)",
      ).argParser(parseWait),
    )
    .addOption(
      new Option("--max-calls <n>", "maximum number of requests (default 900)").argParser(parseCount),
    )
    .addOption(
      new Option(
        "--max-cost <naira>",
        "limit of what the calls may cost, at list price (default 2000); scenarios beyond it are left out",
      ).argParser(parseAmount),
    )
    .option(
      "--i-know-this-costs-money",
      "allow a live key; operations that reach people or move money stay excluded",
    );

const withMeans = (command: Command): Command =>
  command
    .optionsGroup("What a test needs:")
    .option("--phone <number>", "phone number that codes are sent to (default +2348031234567)")
    .option(
      "--otp-cmd <command>",
      "command that prints the code that was sent to $STANDIN_DRIFT_TO; $STANDIN_DRIFT_ID is the verification",
    )
    .option(
      "--reply-cmd <command>",
      "command that sends $STANDIN_DRIFT_TEXT to channel $STANDIN_DRIFT_CHANNEL as the person $STANDIN_DRIFT_FROM",
    )
    .option("--webhook-url <url>", "public address that forwards to --webhook-port of this machine")
    .addOption(
      new Option(
        "--webhook-port <port>",
        "port to receive webhooks on (default: that of a loopback --webhook-url)",
      ).argParser(parsePort),
    )
    .addOption(
      new Option("--wait <duration>", "how long to wait for something to happen (default 45s)").argParser(
        parseWait,
      ),
    );

const withWhatToCheck = (command: Command): Command =>
  command
    .optionsGroup("What to check:")
    .option("--only <groups>", `only these groups, comma-separated: ${groups.join(", ")}`, collectList)
    .option(
      "--scenario <names>",
      "play these scenarios or files (default: the fewest that reach every operation of the groups)",
      collectList,
    )
    .option("--slow", "also check what takes many calls, minutes or money, such as the expiry of codes")
    .option("--questions", "print what no run can see, as a checklist of questions, and call nothing")
    .option("--dry-run", "show what would be called and what it would cost, and call nothing");

async function drift(flags: DriftFlags): Promise<void> {
  if (flags.questions) {
    const { printQuestions } = await import("./lock.js");
    return printQuestions(flags);
  }
  if (flags.diff) {
    const { diffLocks } = await import("./lock.js");
    return diffLocks(flags, flags.diff);
  }
  if (flags.check) {
    const { checkLock } = await import("./lock.js");
    return checkLock(flags);
  }
  for (const [name, value] of Object.entries({ "max-age": flags.maxAge, min: flags.min, badge: flags.badge }))
    if (value !== undefined) throw new UsageError(`--${name} requires --check`);
  const { runCommand } = await import("./run.js");
  return runCommand(flags);
}
