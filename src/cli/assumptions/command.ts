/** `standin assumptions`: lists the assumptions, or finds those that a client depends on. */
import { type Command, Option } from "commander";
import type { CallReply } from "../../client/client.js";
import { topCommand } from "../command-list.js";
import { type ConnectionFlags, withConnection } from "../connection.js";
import { formatExitCodes, UsageError } from "../errors.js";
import { formatTable, printResult } from "../output/print.js";
import { collectList, parseTimeoutFlag, withBehaviour } from "../sandbox-options.js";
import { askAnySandbox, environmentHelp } from "../temporary-sandbox.js";
import type { VaryFlags } from "./vary.js";

type Flags = ConnectionFlags & VaryFlags & { vary?: true };

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
  withConnection(
    withVary(
      topCommand("assumptions", examples, varyHelp, environmentHelp)
        .usage("[options] | --vary [options] -- <command...>")
        .argument("[command...]", "with --vary: command to run, such as your tests, after --")
        .passThroughOptions(),
    ),
    "print the result as one JSON document",
  ).action(assumptions);

const withVary = (command: Command): Command =>
  withBehaviour(
    command
      .optionsGroup("Dependencies on assumptions:")
      .addOption(new Option("--vary", "run a command with other values").conflicts(["url", "adminToken"]))
      .option("--only <ids>", "vary only these assumptions, comma-separated; repeatable", collectList)
      .option("--all", "also vary assumptions that the requests of the first run do not involve")
      .option("--bail", "stop at the first dependency")
      .option("--timeout <duration>", "time limit of each run, such as 90s (default 10m)", parseTimeoutFlag)
      .option("--verbose", "print the complete output of every run on stderr"),
  );

/** Options that have no effect without --vary. */
const varyOptions = "only all bail timeout verbose seed config latency registeredKeysOnly assume".split(" ");

async function assumptions(given: readonly string[], flags: Flags, command: Command): Promise<void> {
  if (flags.vary) {
    if (given.length === 0)
      throw new UsageError(
        `--vary requires a command after --, such as "standin assumptions --vary -- npm test"`,
      );
    const { vary } = await import("./vary.js");
    return vary(given, flags);
  }
  const unused = command.options.find(
    (option) =>
      varyOptions.includes(option.attributeName()) &&
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
