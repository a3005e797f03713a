/** `standin drift`: compares the sandbox with the real service. */
import type { Command } from "commander";
import { topCommand } from "../command-list.js";
import { formatExitCodes, UsageError } from "../errors.js";
import { withFlags } from "../flags.js";
import { outputs, reportOptions } from "../output/report.js";
import { behaviour } from "../sandbox-options.js";
import {
  type DriftFlags,
  lockOptions,
  meansOptions,
  resultOptions,
  scopeOptions,
  serviceOptions,
} from "./flags.js";

const notes = `Each assumption that can be switched has a probe. Verdicts: confirmed; contradicted, with the --assume flag that makes the
sandbox agree; neither, if the service has none of the values; not testable, with what is missing; could not check, if the
service did not answer. Checks ask both sides for their refusals, limits, prices, states and webhooks, and differences
are checked twice. Scenarios are played twice on both sides. A difference that only one of the two shows is noise.
Only operations under /v1 are called, and references begin with standin-drift-. Use a separate test account: the run
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

export const driftCommand = (): Command =>
  withFlags(
    topCommand("drift", examples, notes, exitCodesHelp),
    serviceOptions,
    meansOptions,
    scopeOptions,
    behaviour,
    reportOptions(outputs.markdown),
    resultOptions,
    lockOptions,
  ).action(drift);

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
