/** The program: `start`, and the commands that steer what it started; each lives in a file of its own. */
import { Command, CommanderError } from "commander";
import { version } from "../sandbox.js";
import { UsageError } from "./config.js";
import { startCommand } from "./start.js";
import { sayExamples } from "./taught.js";

const more = `"standin" alone starts the sandbox; "standin COMMAND --help" shows examples.
Exit codes: 0 fine; 1 what was asked was refused or failed; 2 the command line is wrong or no sandbox answers.`;

const examples = [
  "standin --memory",
  "standin exec -- npm test",
  "standin trigger payout.paid",
  'eval "$(standin completion bash)"',
];

const ownFlags = new Set(["-h", "--help", "-V", "--version"]);

/** `standin` alone, and `standin --port 0`, mean `standin start`. */
const withDefault = (args: readonly string[]): readonly string[] =>
  args[0] === undefined || (args[0].startsWith("-") && !ownFlags.has(args[0])) ? ["start", ...args] : args;

/** A start is quick: it loads nothing of the commands beside it. */
const commandsFor = async ([name]: readonly string[]): Promise<Command[]> =>
  name === "start" ? [] : (await import("./commands.js")).commands();

/** Who reads the first lines only, as head does, closes the pipe. The rest is lost; that is no failure, and no end. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
}

/** Ends with exit code 1 where what was asked failed, 2 where the command line itself is wrong. */
export async function run(given: readonly string[]): Promise<void> {
  outliveReaders();
  const args = withDefault(given);
  const program = new Command("standin")
    .description("Local stand-in for a verification, messaging, payments and tools service.")
    .version(version)
    .exitOverride()
    .enablePositionalOptions()
    .commandsGroup("Look things up:")
    .helpCommand(true)
    .showHelpAfterError('("standin --help" lists the commands)')
    .addHelpText("after", `\n${more}\n\n${sayExamples(examples)}`);
  const start = startCommand().helpGroup("Run it:");
  for (const command of [start, ...(await commandsFor(args))])
    program.addCommand(
      command
        .copyInheritedSettings(program)
        .showHelpAfterError(`("standin ${command.name()} --help" says what it takes)`),
    );
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = await exitCodeOf(error);
  }
}

/** Commander has said itself what is wrong with the command line. */
async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { CommandFailure } = await import("./control-api.js");
  if (!(error instanceof UsageError || error instanceof CommandFailure)) {
    // Thrown on, it would come with the line of the source that it is from: the whole program is on few lines.
    process.stderr.write(`standin: ${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  }
  process.stderr.write(`standin: ${error.message.replaceAll(/\s+/g, " ")}\n`);
  return error instanceof UsageError ? 2 : error.exitCode;
}
