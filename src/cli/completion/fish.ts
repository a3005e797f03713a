/** The completion script for fish. */
import { type CompletedCommand, type CompletedOption, everyCommand, type Values } from "./tree.js";

const quote = (text: string): string => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;

/** What to offer, and whether files are among it. */
function offer(values: Values): string {
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

/** True where the command line has come to this command, and to none below it. */
function reached({ commands }: CompletedCommand, path: readonly string[]): string {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const names = commands.map(({ name }) => name).join(" ");
  const below = names ? [`not __fish_seen_subcommand_from ${names}`] : [];
  return quote([...seen, ...below].join("; and "));
}

function sayOption({ names, description, value }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...flags, ...(value ? ["-r", offer(value.values)] : []), `-d ${quote(description)}`].join(" ");
}

function* lines(command: CompletedCommand, path: readonly string[]): Generator<string> {
  const when = `complete -c standin -n ${reached(command, path)}`;
  for (const { name, description } of command.commands)
    yield `${when} -f -a ${name} -d ${quote(description)}`;
  for (const option of command.options) yield `${when} ${sayOption(option)}`;
  for (const { values } of command.operands) yield `${when} ${offer(values)}`;
}

export const fishScript = (program: CompletedCommand): string =>
  [
    "# Completion for fish; in ~/.config/fish/config.fish: standin completion fish | source",
    "complete -c standin -f",
    ...[...everyCommand(program)].flatMap(({ command, path }) => [...lines(command, path)]),
    "",
  ].join("\n");
