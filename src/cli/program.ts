/** The program `standin`: `start`, and the commands that use a running sandbox. */
import { Command, CommanderError } from "commander";
import { FileError } from "../contract/read-file.js";
import { version } from "../sandbox.js";
import { type CommandName, commandNames, listedCommand } from "./command-list.js";
import { loadCommand, loadCommands } from "./commands.js";
import { formatExamples } from "./documented-command.js";
import { readSwitches } from "./environment.js";
import { CommandError, exitCodes, formatExitCodes, printError, UsageError } from "./errors.js";
import { refuseRemovedUse } from "./removed.js";

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

/** Words that other tools have for the version. */
const versionWords = new Set(["version", "-v"]);

/** Adds the default command: `standin` and `standin --port 0` mean `standin start`. */
const withDefault = (args: readonly string[]): readonly string[] =>
  args[0] === undefined || (args[0].startsWith("-") && !programFlags.has(args[0]))
    ? ["start", ...args]
    : args;

/** Returns whether the command line asks for the help of the program with every command. */
const isHelpOfAll = ([name, flag]: readonly string[]): boolean => name === "help" && flag === "--all";

/** Words for which all commands are loaded: completion offers what any of them takes. */
const completionCommands = new Set(["completion", "complete"]);

/**
 * Returns all commands. Only the one that the command line names is loaded; the others have a name and a summary, for
 * --help and for suggestions.
 */
function programCommands(args: readonly string[]): Promise<Command[]> {
  const [name = "", topic] = args;
  if (completionCommands.has(name)) return loadCommands();
  const used = name === "help" ? topic : name;
  const listed = (one: CommandName): Command => {
    const { summary, group } = listedCommand(one);
    return new Command(one).description(summary).helpGroup(group);
  };
  return Promise.all(commandNames.map((one) => (one === used ? loadCommand(one) : listed(one))));
}

/** Ignores closed pipes, such as that of `head`: unread output is not a failure. */
function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
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
  ignoreClosedPipes();
  const args = versionWords.has(given[0] ?? "") ? ["--version"] : withDefault(given);
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
