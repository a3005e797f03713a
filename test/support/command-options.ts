/** Checks the options and variables that workflows and compose files use. */
import { type Command, Help } from "commander";
import { loadCommands } from "../../src/cli/program.js";

const all: readonly Command[] = await loadCommands();

/** Returns the options that the command does not have. Commander itself throws for invalid values. */
export function unknownOptions(
  [name, ...rest]: readonly string[],
  candidates: readonly Command[] = all,
): string[] {
  const command = candidates.find((candidate) => candidate.name() === name);
  if (command === undefined) return [`no command ${name}`];
  if (command.commands.length > 0) return unknownOptions(rest, command.commands);
  return command.parseOptions([...rest]).unknown.filter((word) => word.startsWith("-"));
}

/** Returns the long names of the options that a command describes in its help. */
export function optionsOf(name: string): Set<string> {
  const command = all.find((candidate) => candidate.name() === name);
  if (command === undefined) throw new Error(`no command ${name}`);
  return new Set(new Help().visibleOptions(command).flatMap(({ long }) => long ?? []));
}

const allCommands = (candidates: readonly Command[]): readonly Command[] =>
  candidates.flatMap((command) => [command, ...allCommands(command.commands)]);

/** Returns the environment variables that commands read, besides those that select a running sandbox. */
export const environmentVariables = (): ReadonlySet<string> =>
  new Set(allCommands(all).flatMap(({ options }) => options.flatMap(({ envVar }) => envVar ?? [])));
