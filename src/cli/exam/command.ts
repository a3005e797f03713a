/** `standin exam`: finds out whether a client survives what happens with the real service. */
import { type Command, Option } from "commander";
import { topCommand } from "../command-list.js";
import { formatExitCodes } from "../errors.js";
import { withOutputs } from "../output/report.js";
import { collectList, parseCount, parseTimeoutFlag, withBehaviour } from "../sandbox-options.js";
import { environmentHelp } from "../temporary-sandbox.js";
import type { ExamFlags } from "./exam.js";

const examHelp = `The command runs twice undisturbed and must pass. Then it runs under what may happen with the real service:
  must be absorbed  the tests still pass: a refused read, webhooks late, twice, forged or before the reply, unknown fields,
                    lists in another order
  must be survived  the tests may fail, but nothing is done twice: replies that are lost, broken or never come, every
                    outcome and error
  must be noticed   the tests fail: other verdicts, states and amounts than the tests expect, and requests that are refused
Each finding is shown three times, and is written to a scenario file that "standin exec --with" plays again.
${formatExitCodes({
  passed: "everything was tried, without a finding",
  failed: "findings, also if the client does harm undisturbed",
  couldNotRun: "the command does not pass undisturbed, or the command line is invalid",
  notTried: "no finding, but nothing was tried, or not everything for lack of time",
})}`;

const examples = [
  "standin exam -- npm test",
  "standin exam --budget 20m --html exam.html --junit exam.xml -- npx vitest run",
  "standin exam --only noticed,createPayout -- pytest -q",
  "standin exec --with exam/survived-createPayout-reply-lost.yaml -- npm test",
];

export const examCommand = (): Command =>
  withOutputs(
    withBehaviour(
      topCommand("exam", examples, examHelp, environmentHelp)
        .usage("[options] -- <command...>")
        .argument("<command...>", "command to run, after --")
        .passThroughOptions()
        .optionsGroup("Exam:")
        .option(
          "--budget <duration>",
          "time for the whole exam; what was not tried is listed (default 5m)",
          parseTimeoutFlag,
        )
        .option("--allow-partial", "pass without a finding even if there was no time for everything")
        .option(
          "--only <ids>",
          "try these alone: ids, classes, operations or events, comma-separated; repeatable",
          collectList,
        )
        .option(
          "--accept <file>",
          "file with ids of findings to live with, each with a reason; they do not count",
        )
        .addOption(new Option("--since <exam>", "try first what the last exam has found").choices(["last"]))
        .option(
          "--jobs <count>",
          "runs at a time (default: one for each processor, at most 4, if the command passes beside itself)",
          parseCount,
        )
        .option(
          "--reconcile <command>",
          "after each run, compare what this command prints as JSON with the sandbox: payments, balances, verified",
        )
        .option("--out <folder>", "folder for the scenario files of findings", "exam")
        .option("--key <key>", "API key of the account (default: a new test key)"),
    )
      .optionsGroup("Report:")
      .option("--card <file>", "write the report card as JSON")
      .option("--verbose", "print the output of every run on stderr"),
    "json",
    "junit",
    "html",
  ).action(async (command: readonly string[], flags: ExamFlags) => {
    const { exam } = await import("./exam.js");
    return exam(command, flags);
  });
