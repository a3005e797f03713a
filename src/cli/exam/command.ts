/** `standin exam`: finds out whether a client survives what happens with the real service. */
import type { Command } from "commander";
import { topCommand } from "../command-list.js";
import { formatExitCodes } from "../errors.js";
import { withFlags } from "../flags.js";
import { behaviour } from "../sandbox-options.js";
import { environmentHelp } from "../temporary-sandbox.js";
import { cardOptions, type ExamFlags, examOptions } from "./flags.js";

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
  withFlags(
    topCommand("exam", examples, examHelp, environmentHelp)
      .usage("[options] -- <command...>")
      .argument("<command...>", "command to run, after --")
      .passThroughOptions(),
    examOptions,
    behaviour,
    cardOptions,
  ).action(async (command: readonly string[], flags: ExamFlags) => {
    const { exam } = await import("./exam.js");
    return exam(command, flags);
  });
