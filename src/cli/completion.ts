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
import { print } from "./output/print.js";

const installation = `To enable completion in every shell, add this line to
  ~/.bashrc                   eval "$(standin completion bash)"
  ~/.zshrc, after compinit    eval "$(standin completion zsh)"
  ~/.config/fish/config.fish  standin completion fish | source
The shell asks standin at each Tab, so updates of standin need no further step.`;

export const completionCommand = (): Command =>
  topCommand(
    "completion",
    ["standin completion fish | source", 'eval "$(standin completion bash)"'],
    installation,
  )
    .addArgument(
      new Argument("<shell>", "shell to print the script for").choices(Object.keys(completionScripts)),
    )
    .action((shell: string) => print(completionScripts[shell] ?? ""));

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

/** Something to offer, or what the shell knows better: a kind of word, or an argument of the command these many words before. */
type Offer =
  | readonly [word: string, description?: string]
  | ":files"
  | ":folders"
  | ":commands"
  | `:arguments\t${number}`;

/** Returns what can stand in place of `last`, the beginning of a value, after the operands before it. */
type Completer = (last: string, operands: readonly string[]) => readonly Offer[];

const words =
  (list: readonly string[]): Completer =>
  () =>
    list.map((word) => [word] as const);

/** Completes the last word of a comma-separated list. */
const listOf =
  (list: readonly string[]): Completer =>
  (last) =>
    list.map((word) => [last.slice(0, last.lastIndexOf(",") + 1) + word] as const);

/** Completes a command that standin runs, and its arguments. */
const foreignCommand: Completer = (_last, operands) =>
  operands.length > 0 ? [`:arguments\t${operands.length}`] : [":commands"];

/** Completes fields of the operation that the first operand names, as they begin on a command line. */
const fields: Completer = (_last, [id]) => {
  const operation = operations.find((operation) => operation.id === id);
  return operation ? fieldWords(operation).map((field) => [field] as const) : [];
};

/** Completers by placeholder, which is the text between < and > in the help. */
async function readPlaceholders(): Promise<ReadonlyMap<string, Completer>> {
  const scenarios = await bundledScenarioNames().catch(() => []);
  return new Map<string, Completer>([
    ["file", () => [":files"]],
    ["files", () => [":files"]],
    ["folder", () => [":folders"]],
    ["command", foreignCommand],
    ["event", words(eventKinds)],
    ["events", listOf(eventKinds)],
    ["operation", words(serviceOperations.map(({ id }) => id))],
    ["operation-id", words(operations.map(({ id }) => id))],
    ["fields", fields],
    ["channel", words(["sms", "chat", "email"])],
    ["ids", listOf(switchableAssumptions.map(({ id }) => id))],
    [
      "id=value",
      words(switchableAssumptions.flatMap(({ id, values }) => values.map((value) => `${id}=${value}`))),
    ],
    ["scenario", words(scenarios)],
    ["scenarios", words(scenarios)],
    ["names", listOf(scenarios)],
    ["groups", listOf(groups)],
  ]);
}

/** The command or option that the words before the last one have led to. */
interface Place {
  command: Command;
  /** Operands so far. */
  operands: string[];
  /** Option that takes the last word as its value. */
  option: Option | null;
  /** Whether the words belong to the command that standin runs, or follow `--`. */
  isForeign: boolean;
}

/** Reads from the commands themselves what can stand where. */
class Completion {
  readonly #help = new Help();

  constructor(
    readonly program: Command,
    readonly placeholders: ReadonlyMap<string, Completer>,
  ) {}

  /** Returns what can stand at the end of the line, in place of its last word. */
  offers(words: readonly string[], last: string): readonly Offer[] {
    const { command, operands, option, isForeign } = this.#follow(words);
    if (option) return this.#valuesOf(option)(last, []);
    const [, name, text = ""] = (!isForeign && /^(--[^=]*)=(.*)$/.exec(last)) || [];
    if (name) {
      const assigned = this.#optionTaking(command, name);
      const values = assigned ? this.#valuesOf(assigned)(text, []) : [];
      return values.map((offer) => (typeof offer === "string" ? offer : [`${name}=${offer[0]}`]));
    }
    if (!isForeign && last.startsWith("-"))
      return this.#options(command).flatMap(({ short, long, description }) =>
        [short, long].filter((flag) => typeof flag === "string").map((flag) => [flag, description] as const),
      );
    const commands = operands.length === 0 && !isForeign ? this.#help.visibleCommands(command) : [];
    return [
      ...commands.map((child) => [child.name(), child.description()] as const),
      ...(this.#operandAt(command, operands.length)?.(last, operands) ?? []),
    ];
  }

  /** Follows the words of a command line that stand before its last one. */
  #follow(words: readonly string[]): Place {
    const place: Place = { command: this.program, operands: [], option: null, isForeign: false };
    for (const word of words) {
      const { command, operands, option, isForeign } = place;
      const children = operands.length === 0 ? this.#help.visibleCommands(command) : [];
      const child = children.find((candidate) => candidate.name() === word);
      if (option) place.option = null;
      else if (isForeign) operands.push(word);
      else if (word === "--") place.isForeign = true;
      else if (word.startsWith("-")) place.option = this.#optionTaking(command, word);
      else if (child) place.command = child;
      else {
        place.isForeign = this.#operandAt(command, operands.length) === foreignCommand;
        operands.push(word);
      }
    }
    return place;
  }

  /** Returns the options of a command. The program also has the options of its default command, `start`. */
  #options(command: Command): Option[] {
    const own = this.#help.visibleOptions(command);
    if (command !== this.program) return own;
    const start = command.commands.find((child) => child.name() === "start") as Command;
    return [...own, ...this.#help.visibleOptions(start).filter(({ long }) => long !== "--help")];
  }

  /** Returns the option of this name that takes a value, or null. */
  #optionTaking(command: Command, name: string): Option | null {
    const isWanted = ({ short, long, required, optional }: Option) =>
      [short, long].includes(name) && (required || optional);
    return this.#options(command).find(isWanted) ?? null;
  }

  /** Returns the completer of an operand by its index, or null if the command takes no such one. */
  #operandAt(command: Command, index: number): Completer | null {
    const operands = command.registeredArguments;
    if (command.name() === "help" && index === 0)
      return words(this.program.commands.map((child) => child.name()));
    const operand = operands[index] ?? operands.at(-1);
    return operand && (index < operands.length || operand.variadic) ? this.#valuesOf(operand) : null;
  }

  #valuesOf(value: Option | Argument): Completer {
    if (value.argChoices) return words(value.argChoices);
    const placeholder =
      value instanceof Argument ? value.name() : /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(value.flags)?.[1];
    return this.placeholders.get(placeholder ?? "") ?? words([]);
  }
}

/** A word of a command line, in which quotes and backslashes keep spaces. Its last quote may be missing. */
const word = /(?:\\.|"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s"'\\]|\\$)+/g;

/** Returns the words of a command line as they were written. The last one, which may be incomplete, is empty after a space. */
function wordsOf(line: string): string[] {
  const words: string[] = line.match(word) ?? [];
  const last = words.at(-1);
  return last !== undefined && line.endsWith(last) ? words : [...words, ""];
}

export const completeCommand = (): Command =>
  topCommand("complete", ['standin complete "standin trigger payout.p"'])
    .argument("<line>", "the command line up to the cursor")
    .action(async (line: string, _options: object, { parent }: Command) => {
      const completion = new Completion(parent as Command, await readPlaceholders());
      const words = wordsOf(line);
      const last = words.pop() as string;
      for (const offer of completion.offers(words.slice(1), last))
        if (typeof offer === "string") print(`${offer}\n`);
        else if (offer[0].startsWith(last)) print(`${offer.join("\t")}\n`);
    });
