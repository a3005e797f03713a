/** The commands on one screen; each lives in a file of its own. */
import { Command, CommanderError } from "commander";
import { version } from "../sandbox.js";
import { startCommand } from "./start.js";

const ownFlags = new Set(["-h", "--help", "-V", "--version"]);

/** `standin` alone, and `standin --port 0`, mean `standin start`. */
const withDefault = (args: readonly string[]): readonly string[] =>
  args[0] === undefined || (args[0].startsWith("-") && !ownFlags.has(args[0])) ? ["start", ...args] : args;

/** Ends with exit code 2 where the command line itself is wrong. */
export async function run(args: readonly string[]): Promise<void> {
  const program = new Command("standin")
    .description("Local stand-in for a verification, messaging, payments and tools service.")
    .version(version)
    .exitOverride();
  for (const command of [startCommand()]) program.addCommand(command.copyInheritedSettings(program));
  try {
    await program.parseAsync(withDefault(args), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  }
}
