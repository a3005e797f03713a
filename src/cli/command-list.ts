/** The commands by name: a sentence that says what each does, its group in --help, and its notes and examples. */
import { Command } from "commander";
import { UsageError } from "./errors.js";

interface ListedCommand {
  readonly group: string;
  readonly summary: string;
  /** Whether --help lists it, rather than only help --all. */
  readonly isDaily?: true;
  /** Whether no help lists it, since only the scripts of shells call it. */
  readonly isHidden?: true;
}

const run = "Run a sandbox:";
const control = "Control a running sandbox:";
const see = "See what happened:";
const save = "Reset, save and restore an account:";
const test = "Test your code:";
const reference = "Reference:";

export const commandList = {
  start: { group: run, summary: "Start the sandbox.", isDaily: true },
  exec: {
    group: run,
    summary: "Run a command, such as your tests, with its own sandbox: in memory, on a free port.",
    isDaily: true,
  },
  health: {
    group: run,
    summary: "Check that a sandbox answers, such as for the health check of a container.",
  },
  ca: { group: run, summary: "Print the local authority of standin start --tls, for clients to trust." },
  trigger: {
    group: control,
    summary: "Send a signed webhook event to the account's endpoints.",
    isDaily: true,
  },
  advance: {
    group: control,
    summary: "Advance the account's clock. Each job that falls due runs at its own time.",
    isDaily: true,
  },
  held: { group: control, summary: "Release what rules hold." },
  call: { group: control, summary: "Call any operation of the service or the control API, by its id." },
  tail: { group: see, summary: "Show what happens to the account, live, until Ctrl+C." },
  explain: {
    group: see,
    summary: "Explain why something happened: its causes and its effects.",
    isDaily: true,
  },
  inbox: { group: see, summary: "List the messages sent to people, newest first.", isDaily: true },
  listen: {
    group: see,
    summary: "Forward webhooks to a local URL and show every delivery attempt until Ctrl+C.",
    isDaily: true,
  },
  har: {
    group: see,
    summary: "Write the requests of an account as an HTTP archive (HAR), without secrets.",
  },
  reset: {
    group: save,
    summary: "Reset the account: its records, messages, webhooks, wallet and clock.",
  },
  snapshot: {
    group: save,
    summary:
      "Write the account's complete state to a file or stdout, and bring its state.json in the data folder up to date.",
  },
  restore: { group: save, summary: "Replace the account's state with a snapshot." },
  bundle: {
    group: save,
    summary: "Write everything about an account into one file, for a report that others can open.",
  },
  open: {
    group: save,
    summary: "Open a bundle: a sandbox in memory, with the dashboard as it was at that moment.",
  },
  init: {
    group: test,
    summary: "Add an example test, a script and a CI job to the project in this folder.",
    isDaily: true,
  },
  exam: {
    group: test,
    summary:
      "Run a command, such as your tests, under one disturbance after the other, and report what the client does not survive.",
  },
  coverage: { group: test, summary: "Work with the coverage reports of your tests." },
  scenario: {
    group: test,
    summary:
      "List, load, record, run and check scenarios: files that set up an account and use it step by step.",
  },
  verify: { group: test, summary: "Verify Pact consumer contracts against a new sandbox." },
  webhooks: { group: test, summary: "Check a webhook receiver, directly or through a relay." },
  drift: {
    group: test,
    summary:
      "Compare the sandbox with the real service: its assumptions, errors, limits, prices, states and webhooks, and scenarios on both sides.",
  },
  mcp: {
    group: test,
    summary: "Serve tools for coding agents on stdin and stdout, by the Model Context Protocol.",
  },
  values: { group: reference, summary: "List test values and the outcomes that they trigger." },
  assumptions: {
    group: reference,
    summary: "List the assumptions that fill gaps of the interface, or find those that your code depends on.",
  },
  export: { group: reference, summary: "Write the contract, or a pact of the traffic, for another tool." },
  completion: {
    group: reference,
    summary: "Print a shell script that completes commands, options and values.",
  },
  complete: {
    group: reference,
    summary: "Print what can stand at the end of a command line, for shells.",
    isHidden: true,
  },
} as const satisfies Readonly<Record<string, ListedCommand>>;

export type CommandName = keyof typeof commandList;

/** Returns the entry of a command in the list. */
export const listedCommand = (name: CommandName): ListedCommand => commandList[name];

export const commandNames = Object.keys(commandList) as CommandName[];

/** Creates a command. Its --help shows `notes` after the options, and then the examples. */
export const documentedCommand = (
  name: string,
  description: string,
  examples: readonly string[],
  ...notes: readonly string[]
): Command =>
  new Command(name)
    .description(description)
    .addHelpText("after", [...notes, formatExamples(examples)].map((text) => `\n${text}`).join("\n"));

/** Creates a command of the program, as the list describes it. */
export const topCommand = (
  name: CommandName,
  examples: readonly string[],
  ...notes: readonly string[]
): Command => {
  const { group, summary } = listedCommand(name);
  return documentedCommand(name, summary, examples, ...notes).helpGroup(group);
};

/** Creates a command of the program that only has subcommands. */
export function commandGroup(
  name: CommandName,
  examples: readonly string[],
  subcommands: readonly Command[],
): Command {
  const group = topCommand(name, examples).helpCommand(false);
  for (const subcommand of subcommands) group.addCommand(subcommand);
  return group;
}

export const formatExamples = (examples: readonly string[]): string =>
  `Examples:\n${examples.map((example) => `  $ ${example}`).join("\n")}`;

interface RemovedUse {
  /** Command with its subcommand, an argument or a flag, as a user wrote them. FILE is any value of the flag before it. */
  readonly words: readonly string[];
  readonly instead: string;
}

const removedUses: readonly RemovedUse[] = [
  { words: ["openapi"], instead: "use standin export openapi" },
  { words: ["pact", "export"], instead: "use standin export pact" },
  { words: ["pact"], instead: "use standin export pact" },
  {
    words: ["export", "bruno"],
    instead: "use standin export postman, whose collection Bruno imports, or import /openapi.json",
  },
  {
    words: ["export", "http"],
    instead:
      "use standin export postman, whose collection JetBrains IDEs and httpYac import, or import /openapi.json",
  },
  {
    words: ["record"],
    instead:
      "record the client with any proxy that writes an HTTP archive, and use standin scenario record --from-har FILE; standin drift compares the service with the contract",
  },
  {
    words: ["--tools-ffmpeg"],
    instead:
      "leave it out; the built-in engine converts every sound, and a codec that it lacks is refused by name",
  },
  {
    words: ["--tools-libreoffice"],
    instead:
      "leave it out; the built-in engine converts every document, and the reply counts what it does not draw",
  },
  { words: ["export", "--out"], instead: "the file goes to stdout: standin export KIND > FILE" },
  { words: ["coverage", "merge", "--out"], instead: "use --coverage FILE, as standin exec has it" },
  { words: ["exam", "--json", "FILE"], instead: "use --card FILE; --json prints the report card" },
];

/** Returns whether a flag is followed by a value. */
const hasValue = (args: readonly string[], flag: string): boolean =>
  args.some(
    (arg, index) => arg.startsWith(`${flag}=`) || (arg === flag && /^[^-]/.test(args[index + 1] ?? "-")),
  );

/** Throws a UsageError if a command line uses something that only an earlier version had. */
export function refuseRemovedUse(args: readonly string[]): void {
  // Words after -- are the user's own command.
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const isUsed = ({ words }: RemovedUse): boolean =>
    words.every((word, index) => {
      if (word === "FILE") return hasValue(own, words[index - 1] as string);
      if (word.startsWith("-")) return own.some((arg) => arg === word || arg.startsWith(`${word}=`));
      return own[index] === word;
    });
  const found = removedUses.find(isUsed);
  if (found) throw new UsageError(`${found.words.join(" ")} was removed in version 0.3: ${found.instead}`);
}
