/** `standin assumptions`: lists the assumptions, or finds the assumptions that a client depends on. */
import type { Command } from "commander";
import type { CallReply } from "../../client/client.js";
import { topCommand } from "../command-list.js";
import { controlOptions } from "../connection.js";
import { formatExitCodes, UsageError } from "../errors.js";
import { flagTable, withFlags } from "../flags.js";
import { formatTable, printResult } from "../output/print.js";
import { outputs } from "../output/report.js";
import { behaviour } from "../sandbox-options.js";
import { askAnySandbox, environmentHelp } from "../temporary-sandbox.js";
import { type VaryFlags, vary, varyOptions } from "./vary.js";

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
