/** Options of `standin exam`. */
import { type FlagsOf, flagTable } from "../flags.js";
import { outputs } from "../output/report.js";
import { collectList, parseCount, parseTimeoutFlag, type SandboxFlags } from "../sandbox-options.js";
import { newKeyOption } from "../temporary-sandbox.js";

export const examOptions = flagTable("Exam:", [
  [
    "--budget <duration>",
    "time for the whole exam; what was not tried is listed (default 5m)",
    { parse: parseTimeoutFlag },
  ],
  ["--allow-partial", "pass without a finding even if there was no time for everything"],
  [
    "--only <ids>",
    "try these alone: ids, classes, operations or events, comma-separated; repeatable",
    { parse: collectList },
  ],
  ["--accept <file>", "file with ids of findings to live with, each with a reason; they do not count"],
  ["--since <exam>", "try first what the last exam has found", { choices: ["last"] }],
  [
    "--jobs <count>",
    "runs at a time (default: one for each processor, at most 4, if the command passes beside itself)",
    { parse: parseCount },
  ],
  [
    "--reconcile <command>",
    "after each run, compare what this command prints as JSON with the sandbox: payments, balances, verified",
  ],
  ["--out <folder>", "folder for the scenario files of findings", { default: "exam" }],
  newKeyOption,
]);

export const cardOptions = flagTable("Report:", [
  ["--card <file>", "write the report card as JSON"],
  ["--verbose", "print the output of every run on stderr"],
  outputs.json,
  outputs.junit,
  outputs.html,
]);

export type ExamFlags = SandboxFlags & FlagsOf<typeof examOptions> & FlagsOf<typeof cardOptions>;
