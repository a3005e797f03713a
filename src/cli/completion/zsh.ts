/** Generates the completion script for zsh. */
import { type CommandNode, type Completions, everyCommand, type OptionNode } from "./command-tree.js";

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const escapeSpec = (text: string): string => text.replaceAll(/[[\]:\\]/g, "\\$&");

function formatAction(values: Completions): string {
  switch (values.kind) {
    case "words":
      return values.words.length > 0 ? `(${values.words.map(escapeSpec).join(" ")})` : " ";
    case "list":
      return `_values -s , value ${values.words.join(" ")}`;
    case "files":
      return "_files";
    case "folders":
      return "_files -/";
    case "commands":
      return "_command_names -e";
    case "free":
      return " ";
  }
}

const formatOption = ({ names, description, value }: OptionNode): string[] =>
  names.map((name) => {
    const takes = value ? `:${escapeSpec(value.name)}:${formatAction(value.values)}` : "";
    return quote(`*${name}${value && name.startsWith("--") ? "=" : ""}[${escapeSpec(description)}]${takes}`);
  });

const formatOperands = ({ operands }: CommandNode): string[] =>
  operands.flatMap(({ name, values, variadic }) =>
    values.kind === "commands"
      ? // The rest of the line is completed as a command line of its own.
        [quote(`(-):${escapeSpec(name)}:${formatAction(values)}`), quote("*::arguments:_normal")]
      : quote(`${variadic ? "*" : ""}:${escapeSpec(name)}:${formatAction(values)}`),
  );

const functionName = (path: readonly string[]): string => ["_standin", ...path].join("__");

function formatCommand(command: CommandNode, path: readonly string[]): string {
  const subcommands = command.commands;
  const options = command.options.flatMap(formatOption);
  const spec = subcommands.length > 0 ? ["'1: :->command'", "'*:: :->rest'"] : formatOperands(command);
  const branches = subcommands.map(({ name }) => `      ${name}) ${functionName([...path, name])} ;;`);
  return [
    `${functionName(path)}() {`,
    "  local curcontext=$curcontext state line",
    `  _arguments ${["-C", "-S", ...options, ...spec].join(" \\\n    ")}`,
    ...(subcommands.length > 0
      ? [
          "  if [[ $state == command ]]; then",
          `    local -a commands=(${subcommands.map(({ name, description }) => quote(`${name}:${escapeSpec(description)}`)).join(" ")})`,
          "    _describe -t commands command commands",
          "  elif [[ $state == rest ]]; then",
          "    case $words[1] in",
          ...branches,
          "    esac",
          "  fi",
        ]
      : []),
    "}",
  ].join("\n");
}

export const zshScript = (program: CommandNode): string =>
  [
    "#compdef standin",
    '# Completion for zsh; in ~/.zshrc, after compinit: eval "$(standin completion zsh)"',
    ...[...everyCommand(program)].map(({ command, path }) => formatCommand(command, path)),
    'if [[ $funcstack[1] == _standin ]]; then _standin "$@"; else compdef _standin standin; fi',
    "",
  ].join("\n");
