/** The completion script for zsh. */
import { type CompletedCommand, type CompletedOption, everyCommand, type Values } from "./tree.js";

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const plain = (text: string): string => text.replaceAll(/[[\]:\\]/g, "\\$&");

function action(values: Values): string {
  switch (values.kind) {
    case "words":
      return values.words.length > 0 ? `(${values.words.map(plain).join(" ")})` : " ";
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

const sayOption = ({ names, description, value }: CompletedOption): string[] =>
  names.map((name) => {
    const takes = value ? `:${plain(value.name)}:${action(value.values)}` : "";
    return quote(`*${name}${value && name.startsWith("--") ? "=" : ""}[${plain(description)}]${takes}`);
  });

const sayOperands = ({ operands }: CompletedCommand): string[] =>
  operands.flatMap(({ name, values, variadic }) =>
    values.kind === "commands"
      ? // What follows is completed as if it stood alone.
        [quote(`(-):${plain(name)}:${action(values)}`), quote("*::arguments:_normal")]
      : quote(`${variadic ? "*" : ""}:${plain(name)}:${action(values)}`),
  );

const functionOf = (path: readonly string[]): string => ["_standin", ...path].join("__");

function sayCommand(command: CompletedCommand, path: readonly string[]): string {
  const below = command.commands;
  const options = command.options.flatMap(sayOption);
  const spec = below.length > 0 ? ["'1: :->command'", "'*:: :->rest'"] : sayOperands(command);
  const choose = below.map(({ name }) => `    ${name}) ${functionOf([...path, name])} ;;`);
  return [
    `${functionOf(path)}() {`,
    "  local curcontext=$curcontext state line",
    `  _arguments ${["-C", "-S", ...options, ...spec].join(" \\\n    ")}`,
    ...(below.length > 0
      ? [
          "  if [[ $state == command ]]; then",
          `    local -a commands=(${below.map(({ name, description }) => quote(`${name}:${plain(description)}`)).join(" ")})`,
          "    _describe -t commands command commands",
          "  elif [[ $state == rest ]]; then",
          "    case $words[1] in",
          ...choose.map((row) => `  ${row}`),
          "    esac",
          "  fi",
        ]
      : []),
    "}",
  ].join("\n");
}

export const zshScript = (program: CompletedCommand): string =>
  [
    "#compdef standin",
    '# Completion for zsh; in ~/.zshrc, after compinit: eval "$(standin completion zsh)"',
    ...[...everyCommand(program)].map(({ command, path }) => sayCommand(command, path)),
    'if [[ $funcstack[1] == _standin ]]; then _standin "$@"; else compdef _standin standin; fi',
    "",
  ].join("\n");
