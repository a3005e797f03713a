/** Creates commands whose --help ends with notes and examples. */
import { Command } from "commander";
import { type CommandName, listedCommand } from "./command-list.js";

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
