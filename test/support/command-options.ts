/** Checks the options and variables that workflows and compose files use. */
import type { Command } from "commander";
import { commands } from "../../src/cli/commands.js";
import { startCommand } from "../../src/cli/start.js";

const all = (): Command[] => [startCommand(), ...commands()];

/** Returns the options that the command does not have. Commander itself throws for invalid values. */
export function unknownOptions(
  [name, ...rest]: readonly string[],
  candidates: readonly Command[] = all(),
): string[] {
  const command = candidates.find((candidate) => candidate.name() === name);
  if (command === undefined) return [`no command ${name}`];
  if (command.commands.length > 0) return unknownOptions(rest, command.commands);
  return command.parseOptions([...rest]).unknown.filter((word) => word.startsWith("-"));
}

/** Returns the help of a command, as `standin NAME --help` prints it. */
export function helpOf(name: string): string {
  const command = all().find((candidate) => candidate.name() === name);
  if (command === undefined) throw new Error(`no command ${name}`);
  return command.helpInformation();
}

const allCommands = (candidates: readonly Command[]): readonly Command[] =>
  candidates.flatMap((command) => [command, ...allCommands(command.commands)]);

/** Returns the environment variables that commands read, besides those that select a running sandbox. */
export const environmentVariables = (): ReadonlySet<string> =>
  new Set(allCommands(all()).flatMap(({ options }) => options.flatMap(({ envVar }) => envVar ?? [])));
