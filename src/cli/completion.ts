/**
 * `standin completion`: prints the script with which a shell completes commands, options and values. The scripts ask
 * `standin complete` at each Tab what can stand at the end of the command line.
 */
import { Argument, type Command, Help, type Option } from "commander";
import { groups } from "../drift/groups.js";
import { bundledScenarioNames } from "../scenarios/bundled-scenarios.js";
import { serviceOperations } from "../service/index.js";
import { eventKinds } from "../service/webhooks/events.js";
import { switchableAssumptions } from "./assumptions/variations.js";
import { fieldWords, operations } from "./call/operations.js";
import { topCommand } from "./command-list.js";
import { withFlags } from "./flags.js";
import { type JsonFlag, jsonOption, print } from "./output/print.js";

const installation = `To enable completion in every shell, add this line to
  ~/.bashrc                   eval "$(standin completion bash)"
  ~/.zshrc, after compinit    eval "$(standin completion zsh)"
  ~/.config/fish/config.fish  standin completion fish | source
The shell asks standin at each Tab, so updates of standin need no further step.`;

export const completionCommand = (): Command =>
  withFlags(
    topCommand(
      "completion",
      ["standin completion fish | source", 'eval "$(standin completion bash)"'],
      installation,
    ).addArgument(
      new Argument("<shell>", "shell to print the script for").choices(Object.keys(completionScripts)),
    ),
    jsonOption("print the completions as one JSON document"),
  ).action(async (shell: string, { json }: JsonFlag, command: Command) => {
    const tree = json && (await readCommandTree(command.parent as Command));
    print(tree ? `${JSON.stringify(tree)}\n` : (completionScripts[shell] ?? ""));
  });

/** For bash 3.2 and newer. Bash splits words at = and :, and keeps what stands before. */
const bash = String.raw`# Completion for bash; in ~/.bashrc: eval "$(standin completion bash)"
_standin() {
  local line=@{COMP_LINE:0:COMP_POINT} word description
  local last=@{line##*[[:space:]]} before=
  [[ $COMP_WORDBREAKS == *=* ]] && before=@{last%"@{last##*[=:]}"}
  COMPREPLY=()
  compopt +o default 2>/dev/null
  while IFS=$'\t' read -r word description; do
    case $word in
      :files | :arguments) compopt -o default 2>/dev/null ;;
      :folders) COMPREPLY=($(compgen -d -- "@{last##*=}")) ;;
      :commands) COMPREPLY=($(compgen -c -- "$last")) ;;
      *) COMPREPLY+=("@{word#"$before"}") ;;
    esac
  done < <("@{1:-standin}" complete "$line" 2>/dev/null)
}
complete -o default -F _standin standin
`.replaceAll("@{", "${");

const zsh = String.raw`#compdef standin
# Completion for zsh; in ~/.zshrc, after compinit: eval "$(standin completion zsh)"
_standin() {
  local word description
  local -a offered
  while IFS=$'\t' read -r word description; do
    case $word in
      (:files) compset -P '--*='; _files ;;
      (:folders) compset -P '--*='; _files -/ ;;
      (:commands) _command_names -e ;;
      (:arguments) shift $((CURRENT - description - 1)) words; CURRENT=$((description + 1)); _normal ;;
      (*) offered+=("@{word//:/\\:}@{description:+:$description}") ;;
    esac
  done < <($words[1] complete "@{(j: :)words[1,CURRENT]}" 2>/dev/null)
  if (( $#offered )); then _describe standin offered; fi
}
if [[ $funcstack[1] == _standin ]]; then _standin "$@"; else compdef _standin standin; fi
`.replaceAll("@{", "${");

const fish = String.raw`# Completion for fish; in ~/.config/fish/config.fish: standin completion fish | source
function __standin_offers
  set -l last (commandline -ct)
  set -l before (string match -r -- '^--[^=]*=' $last)
  set -l rest (string replace -- "$before" '' $last)
  for offer in (standin complete (commandline -cp | string collect) 2>/dev/null)
    switch $offer
      case :files ':arguments*'
        printf "$before%s\n" (__fish_complete_path $rest)
      case :folders
        printf "$before%s\n" (__fish_complete_directories $rest)
      case :commands
        __fish_complete_command
      case '*'
        echo $offer
    end
  end
end
complete -c standin -f -a '(__standin_offers)'
`.replaceAll("@{", "${");

const completionScripts: Readonly<Record<string, string>> = { bash, zsh, fish };

/** A word to offer, or a kind of word that the shell completes itself, such as a file or the arguments of another command. */
type Offer =
  | readonly [word: string, description?: string]
  | ":files"
  | ":folders"
  | ":commands"
  | `:arguments\t${number}`;

/** The command, operation or option at the end of the words before the last one. */
interface Place {
  command: CommandNode;
  /** Operands so far. */
  operands: string[];
  /** Option that takes the last word as its value. */
  option: OptionNode | null;
  /** Whether the words belong to the command that standin runs, or follow `--`. */
  isForeign: boolean;
}

/** Returns the option of this name that takes a value, or null. */
const optionTaking = ({ options }: CommandNode, name: string): OptionNode | null =>
  options.find(({ names, value }) => value !== null && names.includes(name)) ?? null;

/** Returns the completions of an operand by its index, or null if the command has no such operand. */
const operandAt = ({ operands }: CommandNode, index: number): Completions | null => {
  const operand = operands[index] ?? operands.at(-1);
  return operand && (index < operands.length || operand.variadic) ? operand.values : null;
};

/** Follows the words of a command line that stand before its last one. */
function follow(program: CommandNode, words: readonly string[]): Place {
  const place: Place = { command: program, operands: [], option: null, isForeign: false };
  for (const word of words) {
    const { command, operands, option, isForeign } = place;
    const child = operands.length === 0 ? command.commands.find(({ name }) => name === word) : undefined;
    if (option) place.option = null;
    else if (isForeign) operands.push(word);
    else if (word === "--") place.isForeign = true;
    else if (word.startsWith("-")) place.option = optionTaking(command, word);
    else if (child) place.command = child;
    else {
      place.isForeign = operandAt(command, operands.length)?.kind === "commands";
      operands.push(word);
    }
  }
  return place;
}

/** Returns the values that begin with `text`, which `before` precedes in the word. */
function valuesFor(values: Completions | null, text: string, before = ""): Offer[] {
  if (!values || values.kind === "free" || values.kind === "fields") return [];
  if (values.kind !== "words" && values.kind !== "list") return [`:${values.kind}`];
  const chosen = values.kind === "list" ? text.slice(0, text.lastIndexOf(",") + 1) : "";
  return values.words.map((word) => [before + chosen + word] as const);
}

/** Returns the fields of the operation of this id, as they begin on a command line. */
function fieldsFor(id: string | undefined): string[] {
  const operation = operations.find((operation) => operation.id === id);
  return operation ? fieldWords(operation) : [];
}

/** A word of a command line, in which quotes and backslashes keep spaces. Its last quote may be missing. */
const word = /(?:\\.|"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s"'\\]|\\$)+/g;

/** Returns the words of a command line as they were written. The last word may be incomplete, and is empty after a space. */
function wordsOf(line: string): string[] {
  const words: string[] = line.match(word) ?? [];
  const last = words.at(-1);
  return last !== undefined && line.endsWith(last) ? words : [...words, ""];
}

/** Returns what can stand at the end of the line, in place of its last word. */
function offersFor(program: CommandNode, words: string[], last: string): Offer[] {
  const { command, operands, option, isForeign } = follow(program, words.slice(1));
  if (option) return valuesFor(option.value?.values ?? null, last);
  const [, name, text = ""] = (!isForeign && /^(--[^=]*)=(.*)$/.exec(last)) || [];
  if (name) return valuesFor(optionTaking(command, name)?.value?.values ?? null, text, `${name}=`);
  if (!isForeign && last.startsWith("-"))
    return command.options.flatMap(({ names, description }) =>
      names.map((name) => [name, description] as const),
    );
  const values = operandAt(command, operands.length);
  if (values?.kind === "commands" && operands.length > 0) return [`:arguments\t${operands.length}`];
  if (values?.kind === "fields") return fieldsFor(operands[0]).map((field) => [field] as const);
  const commands = operands.length === 0 && !isForeign ? command.commands : [];
  return [
    ...commands.map(({ name, description }) => [name, description] as const),
    ...valuesFor(values, last),
  ];
}

export const completeCommand = (): Command =>
  topCommand("complete", ['standin complete "standin trigger payout.p"'])
    .argument("<line>", "the command line up to the cursor")
    .action(async (line: string, _options: object, command: Command) => {
      const words = wordsOf(line);
      const last = words.pop() as string;
      for (const offer of offersFor(await readCommandTree(command.parent as Command), words, last))
        if (typeof offer === "string") print(`${offer}\n`);
        else if (offer[0].startsWith(last)) print(`${offer.join("\t")}\n`);
    });

/**
 * Completions of a value: words, a comma-separated list of words, names that the shell knows, fields of the operation that
 * the first operand names, or none (`free`).
 */
export type Completions =
  | { readonly kind: "words" | "list"; readonly words: readonly string[] }
  | { readonly kind: "files" | "folders" | "commands" | "fields" | "free" };

export interface OptionNode {
  /** Names with their hyphens; the long one is last. */
  readonly names: readonly string[];
  readonly description: string;
  /** Null if the option takes no value. */
  readonly value: { readonly name: string; readonly values: Completions } | null;
}

export interface CommandNode {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly CommandNode[];
  readonly options: readonly OptionNode[];
  readonly operands: readonly {
    readonly name: string;
    readonly variadic: boolean;
    readonly values: Completions;
  }[];
}

const words = (list: readonly string[]): Completions => ({ kind: "words", words: list });
const listOf = (list: readonly string[]): Completions => ({ kind: "list", words: list });

/** Completions by placeholder, which is the text between < and > in the help. */
type Placeholders = Readonly<Record<string, Completions>>;

async function readPlaceholders(): Promise<Placeholders> {
  const names = await bundledScenarioNames().catch(() => []);
  return {
    file: { kind: "files" },
    files: { kind: "files" },
    folder: { kind: "folders" },
    command: { kind: "commands" },
    event: words(eventKinds),
    events: listOf(eventKinds),
    operation: words(serviceOperations.map(({ id }) => id)),
    "operation-id": words(operations.map(({ id }) => id)),
    fields: { kind: "fields" },
    channel: words(["sms", "chat", "email"]),
    ids: listOf(switchableAssumptions.map(({ id }) => id)),
    "id=value": words(
      switchableAssumptions.flatMap(({ id, values }) => values.map((value) => `${id}=${value}`)),
    ),
    scenario: words(names),
    scenarios: words(names),
    names: listOf(names),
    groups: listOf(groups),
  };
}

class TreeReader {
  readonly #help = new Help();

  constructor(readonly placeholders: Placeholders) {}

  command(command: Command, siblings: readonly string[] = []): CommandNode {
    const names = command.commands.map((child) => child.name());
    return {
      name: command.name(),
      description: command.description(),
      commands: this.#help.visibleCommands(command).map((child) => this.command(child, names)),
      options: this.#help.visibleOptions(command).map((option) => this.#option(option)),
      operands:
        command.name() === "help"
          ? [{ name: "command", variadic: false, values: words(siblings) }]
          : command.registeredArguments.map((argument) => this.#operand(argument)),
    };
  }

  #option({ short, long, flags, description, argChoices }: Option): OptionNode {
    const name = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(flags)?.[1];
    return {
      names: [short, long].filter((flag) => flag !== undefined && flag !== null),
      description,
      value: name === undefined ? null : { name, values: this.#completions(name, argChoices) },
    };
  }

  #operand(argument: Argument) {
    const name = argument.name();
    return { name, variadic: argument.variadic, values: this.#completions(name, argument.argChoices) };
  }

  #completions(name: string, choices: readonly string[] | undefined): Completions {
    if (choices) return words(choices);
    return (Object.hasOwn(this.placeholders, name) ? this.placeholders[name] : null) ?? { kind: "free" };
  }
}

/** Reads the whole program. The options of `start` are also options of the program, whose default command it is. */
export async function readCommandTree(program: Command): Promise<CommandNode> {
  const tree = new TreeReader(await readPlaceholders()).command(program);
  const start = tree.commands.find(({ name }) => name === "start");
  const ofStart = start?.options.filter(({ names }) => !names.includes("--help")) ?? [];
  return { ...tree, options: [...tree.options, ...ofStart] };
}
