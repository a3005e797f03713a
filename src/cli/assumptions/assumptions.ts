/** `standin assumptions`: what the interface leaves open, what is in force, and what a client makes of the alternatives. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../../world/time/time.js";
import { UsageError } from "../config.js";
import { assumeOption, withBehaviour } from "../sandbox-options.js";
import { controlApi, onSandbox, print, type SteeringFlags, taught } from "../steering.js";
import { table } from "../table.js";
import { saysEnvironment } from "../test-bed.js";
import type { VaryFlags } from "./vary.js";

interface Assumption {
  id: string;
  question: string;
  value: string | null;
  values: string[];
}

type Flags = SteeringFlags & VaryFlags & { vary?: true };

const what = "List what the interface leaves open and which answer is in force, or see what depends on it.";

const aboutVary = `With --vary the command runs once as things are, when it must pass, and then once for each other answer to each
question that its requests touch, each time with a sandbox of its own. Where it fails then, it depends on a guess.
Exit codes: 0 when it depends on none; 1 when it does, or fails as things are.`;

const examples = [
  "standin assumptions",
  "standin assumptions --vary -- npm test",
  "standin assumptions --vary --only http.created,errors.body --bail --timeout 2m -- npm test",
];

export const assumptionsCommand = (): Command =>
  onSandbox(
    withVary(
      taught("assumptions", what, examples, aboutVary, saysEnvironment)
        .usage("[options] | --vary [options] -- <command...>")
        .argument("[command...]", "with --vary: your tests, after --")
        .passThroughOptions(),
    ),
    "print one JSON document",
  ).action(assumptions);

const withVary = (command: Command): Command =>
  withBehaviour(
    command
      .optionsGroup("What the client depends on:")
      .addOption(
        new Option("--vary", "run a command under the alternatives").conflicts(["url", "adminToken"]),
      )
      .addOption(
        new Option("--only <ids>", "vary these assumptions alone, with commas between them").argParser(
          (text) => text.split(",").map((id) => id.trim()),
        ),
      )
      .option("--all", "run the alternatives too that no request of the first run touches")
      .option("--bail", "stop at the first that it depends on")
      .addOption(
        new Option("--timeout <duration>", "of each run, such as 90s (default 10m)").argParser(parseTimeout),
      )
      .option("--verbose", "show the whole output of every run on stderr, not the end of those that fail"),
  ).addOption(assumeOption());

function parseTimeout(text: string): number {
  const ms = parseDuration(text);
  if (ms === null || ms === 0) throw new InvalidArgumentError("A timeout is a duration such as 90s or 5m.");
  return ms;
}

/** Without --vary these would be ignored. */
const forVary = "only all bail timeout verbose seed config latency registeredKeysOnly assume".split(" ");

async function assumptions(given: readonly string[], flags: Flags, command: Command): Promise<void> {
  if (flags.vary) {
    if (given.length === 0)
      throw new UsageError(
        `--vary takes a command after --, such as "standin assumptions --vary -- npm test"`,
      );
    const { vary } = await import("./vary.js");
    return vary(given, flags);
  }
  const needless = command.options.find(
    (option) => forVary.includes(option.attributeName()) && option.attributeName() in flags,
  );
  if (needless) throw new UsageError(`${needless.long} is taken with --vary alone`);
  if (given.length > 0) throw new UsageError(`a command is taken with --vary alone; got ${given.join(" ")}`);
  print(flags, await controlApi(flags).call<{ items: Assumption[] }>("GET", "/assumptions"), describe);
}

function describe({ items }: { items: Assumption[] }): string {
  const rows = items.map(({ id, question, value, values }) => [
    id,
    value ?? "-",
    values.filter((other) => other !== value).join(", ") || "-",
    question,
  ]);
  return [
    table(["assumption", "in force", "or", "question"], rows),
    "",
    'Answers and reasons are in contracts/ASSUMPTIONS.md and with --json; "standin start --assume ID=VALUE" switches one.',
  ].join("\n");
}
