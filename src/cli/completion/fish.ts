/** Generates the completion script for fish. */
import { type CommandNode, type Completions, everyCommand, type OptionNode } from "./command-tree.js";

const quote = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;

/** Formats the arguments of `complete` that offer these completions. */
function formatCompletions(values: Completions): string {
  switch (values.kind) {
    case "words":
      return `-f -a ${quote(values.words.join(" "))}`;
    case "list":
      return `-f -a ${quote(`(__fish_append , ${values.words.join(" ")})`)}`;
    case "files":
      return "-F";
    case "folders":
      return "-f -a '(__fish_complete_directories)'";
    case "commands":
      return "-f -a '(__fish_complete_command)'";
    case "free":
      return "-f";
  }
}

/** Formats the condition that the command line has reached this command and none of its subcommands. */
function condition({ commands }: CommandNode, path: readonly string[]): string {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const names = commands.map(({ name }) => name).join(" ");
  const others = names ? [`not __fish_seen_subcommand_from ${names}`] : [];
  return quote([...seen, ...others].join("; and "));
}

function formatOption({ names, description, value }: OptionNode): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [
    ...flags,
    ...(value ? ["-r", formatCompletions(value.values)] : []),
    `-d ${quote(description)}`,
  ].join(" ");
}

function* lines(command: CommandNode, path: readonly string[]): Generator<string> {
  const when = `complete -c standin -n ${condition(command, path)}`;
  for (const { name, description } of command.commands)
    yield `${when} -f -a ${name} -d ${quote(description)}`;
  for (const option of command.options) yield `${when} ${formatOption(option)}`;
  for (const { values } of command.operands) yield `${when} ${formatCompletions(values)}`;
}

export const fishScript = (program: CommandNode): string =>
  [
    "# Completion for fish; in ~/.config/fish/config.fish: standin completion fish | source",
    "complete -c standin -f",
    ...[...everyCommand(program)].flatMap(({ command, path }) => [...lines(command, path)]),
    "",
  ].join("\n");
