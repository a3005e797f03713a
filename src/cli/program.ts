/** The program `standin`: `start`, and the commands that use a running sandbox. */
import { Command, CommanderError, type Option } from "commander";
import { describeFileError, FileError } from "../contract/read-file.js";
import { version } from "../sandbox.js";
import {
  type CommandName,
  commandNames,
  formatExamples,
  listedCommand,
  refuseRemovedUse,
} from "./command-list.js";
import { CommandError, exitCodes, formatExitCodes, printError, UsageError } from "./errors.js";

const notes = `"standin" alone starts the sandbox. "standin COMMAND --help" describes a command, with examples.
"standin help --all" lists all commands.
${formatExitCodes()}`;

const examples = [
  "standin --memory",
  "standin exec -- npm test",
  "standin trigger payout.paid",
  'eval "$(standin completion bash)"',
];

const programFlags = new Set(["-h", "--help", "-V", "-v", "--version"]);

/** Words with which other tools print the version. */
const versionWords = new Set(["version", "-v"]);

/** Adds the default command: `standin` and `standin --port 0` mean `standin start`. */
const withDefault = (args: readonly string[]): readonly string[] =>
  args[0] === undefined || (args[0].startsWith("-") && !programFlags.has(args[0]))
    ? ["start", ...args]
    : args;

/** Leaves out `help` before a word that is no command, so that commander refuses the word instead of printing all help. */
const withoutHelpOfNothing = (args: readonly string[]): readonly string[] => {
  const [name, topic = ""] = args;
  const isWord = topic !== "" && topic !== "help" && !topic.startsWith("-");
  return name === "help" && isWord && !(commandNames as readonly string[]).includes(topic) ? [topic] : args;
};

/** Returns whether the command line asks for the help of the program with every command. */
const isHelpOfAll = ([name, flag]: readonly string[]): boolean => name === "help" && flag === "--all";

/** Words for which all commands are loaded: completion offers what any of them takes. */
const completionCommands = new Set(["completion", "complete"]);

/**
 * Returns all commands. Only the command that the command line names is loaded; the others have just a name and a summary,
 * for --help and suggestions.
 */
function programCommands(args: readonly string[]): Promise<Command[]> {
  const [name = "", topic] = args;
  if (completionCommands.has(name)) return loadCommands();
  const used = name === "help" ? topic : name;
  const listed = (name: CommandName): Command => {
    const { summary, group } = listedCommand(name);
    return new Command(name).description(summary).helpGroup(group);
  };
  return Promise.all(commandNames.map((name) => (name === used ? loadCommand(name) : listed(name))));
}

/**
 * Ends the program if its output cannot be written, for example because the disk is full. Closed pipes are ignored, as
 * `head` leaves them: unread output is not a failure.
 */
function endIfOutputFails(): void {
  for (const [name, stream] of [
    ["stdout", process.stdout],
    ["stderr", process.stderr],
  ] as const)
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") return;
      if (name === "stdout")
        printError(`the output cannot be written to stdout: ${describeFileError(error)}`);
      process.exit(exitCodes.failed.code);
    });
}

/** Adds a command to its parent, whose settings it and its subcommands inherit. */
function addCommand(parent: Command, command: Command, path: string, hidden = false): void {
  command
    .copyInheritedSettings(parent)
    .showHelpAfterError(`("${path} --help" describes its arguments and options)`);
  if (!parent.commands.includes(command)) parent.addCommand(command, { hidden });
  for (const subcommand of command.commands) addCommand(command, subcommand, `${path} ${subcommand.name()}`);
}

export async function run(given: readonly string[]): Promise<void> {
  endIfOutputFails();
  const args = versionWords.has(given[0] ?? "") ? ["--version"] : withoutHelpOfNothing(withDefault(given));
  const program = new Command("standin")
    .description("Local stand-in for a verification, messaging, payments and tools service.")
    .version(version)
    .exitOverride()
    .enablePositionalOptions()
    .commandsGroup("Reference:")
    .helpCommand(true)
    .showHelpAfterError('("standin --help" lists the commands)')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "standin: ")) })
    .hook("preSubcommand", (_program, { options }) => readSwitches(options))
    .addHelpText("after", `\n${notes}\n\n${formatExamples(examples)}`);
  const isComplete = completionCommands.has(args[0] ?? "") || isHelpOfAll(args);
  for (const command of await programCommands(args)) {
    const { isDaily, isHidden } = listedCommand(command.name() as CommandName);
    addCommand(program, command, `standin ${command.name()}`, isHidden || !(isDaily || isComplete));
  }
  try {
    refuseRemovedUse(args);
    await program.parseAsync(isHelpOfAll(args) ? ["--help"] : args, { from: "user" });
  } catch (error) {
    process.exitCode = reportError(error);
  }
}

/** Prints what went wrong, unless commander already has, and returns the exit code. */
function reportError(error: unknown): number {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? exitCodes.passed.code : exitCodes.couldNotRun.code;
  const isMistake = error instanceof UsageError || error instanceof FileError;
  if (!(isMistake || error instanceof CommandError)) {
    // Node itself would also print the source line, which is most of the minified program.
    process.stderr.write(`standin: ${error instanceof Error ? error.stack : String(error)}\n`);
    return exitCodes.failed.code;
  }
  printError(error.message);
  return isMistake ? exitCodes.couldNotRun.code : error.exitCode;
}

const yes = /^(?:1|true|yes|on)$/i;
const no = /^(?:0|false|no|off)$/i;

/** Kubernetes sets STANDIN_PORT to such an address in the containers beside a service named standin. */
const isServiceLink = (value: string): boolean => /^(?:tcp|udp|sctp):\/\//.test(value);

/**
 * Removes the variables of these options that are empty, as unset variables are in a compose file, or that turn a
 * switch off. Throws a UsageError if the value of a switch is neither on nor off.
 */
function readSwitches(options: readonly Option[]): void {
  for (const option of options) {
    const { envVar: name = "" } = option;
    const value = process.env[name];
    if (value === undefined) continue;
    const isSwitch = option.isBoolean();
    if (value === "" || isServiceLink(value) || (isSwitch && no.test(value))) delete process.env[name];
    else if (isSwitch && !yes.test(value))
      throw new UsageError(`${name} must be true or false; got ${value}`);
  }
}

const loaders: Readonly<Record<CommandName, () => Promise<Command>>> = {
  start: async () => (await import("./start.js")).startCommand(),
  exec: async () => (await import("./exec/command.js")).execCommand(),
  health: async () => (await import("./health.js")).healthCommand(),
  ca: async () => (await import("./ca.js")).caCommand(),
  trigger: async () => (await import("./call/rows.js")).commandOfRow("trigger"),
  advance: async () => (await import("./call/rows.js")).commandOfRow("advance"),
  held: async () => (await import("./call/rows.js")).heldCommand(),
  call: async () => (await import("./call/command.js")).callCommand(),
  tail: async () => (await import("./activity/tail.js")).tailCommand(),
  explain: async () => (await import("./call/rows.js")).commandOfRow("explain"),
  inbox: async () => (await import("./call/rows.js")).commandOfRow("inbox"),
  listen: async () => (await import("./webhooks/listen.js")).listenCommand(),
  har: async () => (await import("./save.js")).harCommand(),
  reset: async () => (await import("./call/rows.js")).commandOfRow("reset"),
  snapshot: async () => (await import("./save.js")).snapshotCommand(),
  restore: async () => (await import("./call/rows.js")).commandOfRow("restore"),
  bundle: async () => (await import("./save.js")).bundleCommand(),
  open: async () => (await import("./save.js")).openCommand(),
  init: async () => (await import("./init.js")).initCommand(),
  exam: async () => (await import("./exam/command.js")).examCommand(),
  coverage: async () => (await import("./coverage/command.js")).coverageCommand(),
  scenario: async () => (await import("./scenario/run.js")).scenarioCommand(),
  verify: async () => (await import("./verify/command.js")).verifyCommand(),
  webhooks: async () => (await import("./webhooks/check.js")).webhooksCommand(),
  drift: async () => (await import("./drift/command.js")).driftCommand(),
  mcp: async () => (await import("./mcp/command.js")).mcpCommand(),
  values: async () => (await import("./call/rows.js")).commandOfRow("values"),
  assumptions: async () => (await import("./assumptions/command.js")).assumptionsCommand(),
  export: async () => (await import("./export.js")).exportCommand(),
  completion: async () => (await import("./completion.js")).completionCommand(),
  complete: async () => (await import("./completion.js")).completeCommand(),
};

const loadCommand = (name: CommandName): Promise<Command> => loaders[name]();

/** Loads all commands, for completion and for documents about all of them. */
export const loadCommands = (): Promise<Command[]> => Promise.all(commandNames.map(loadCommand));
