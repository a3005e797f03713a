/** The commands on one screen; each lives in a file of its own. */
import { Command, CommanderError } from "commander";
import { version } from "../sandbox.js";
import { startCommand } from "./start.js";

/** Ends with exit code 2 where the command line itself is wrong. */
export async function run(args: readonly string[]): Promise<void> {
  const program = new Command("standin")
    .description("Local stand-in for a verification, messaging, payments and tools service.")
    .version(version)
    .exitOverride()
    .configureHelp({ sortOptions: false })
    .addCommand(startCommand(), { isDefault: true });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  }
}
