/** What there is to complete, read from the commands and options themselves. */
import { type Argument, type Command, Help, type Option } from "commander";
import { assumptions } from "../../contract/assumptions.js";
import { eventKinds } from "../../contract/events.js";
import { scenarioNames } from "../../scenarios/catalogue.js";
import { serviceOperations } from "../../service/index.js";

/** What may stand in a place: words, several of them with commas between, or what the shell knows; else anybody's guess. */
export type Values =
  | { readonly kind: "words" | "list"; readonly words: readonly string[] }
  | { readonly kind: "files" | "folders" | "commands" | "free" };

export interface CompletedOption {
  /** With their hyphens, the long one last. */
  readonly names: readonly string[];
  readonly description: string;
  /** Null: it takes none. */
  readonly value: { readonly name: string; readonly values: Values } | null;
}

export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly CompletedCommand[];
  readonly options: readonly CompletedOption[];
  readonly operands: readonly {
    readonly name: string;
    readonly variadic: boolean;
    readonly values: Values;
  }[];
}

const words = (list: readonly string[]): Values => ({ kind: "words", words: list });
const several = (list: readonly string[]): Values => ({ kind: "list", words: list });

const switches = assumptions.flatMap(({ id, switch: choice }) =>
  choice ? [{ id, values: [choice.default, ...Object.keys(choice.alternatives)] }] : [],
);

/** The names that stand between < and > in the help say what is meant. */
type Meanings = Readonly<Record<string, Values>>;

async function readMeanings(): Promise<Meanings> {
  const scenarios = words(await scenarioNames().catch(() => []));
  return {
    file: { kind: "files" },
    files: { kind: "files" },
    folder: { kind: "folders" },
    command: { kind: "commands" },
    event: words(eventKinds),
    events: several(eventKinds),
    operation: words(serviceOperations.map(({ id }) => id)),
    channel: words(["sms", "chat", "email"]),
    ids: several(switches.map(({ id }) => id)),
    "id=value": words(switches.flatMap(({ id, values }) => values.map((value) => `${id}=${value}`))),
    scenario: scenarios,
    scenarios,
  };
}

function valuesOf(meanings: Meanings, name: string, choices: readonly string[] | undefined): Values {
  if (choices) return words(choices);
  return (Object.hasOwn(meanings, name) ? meanings[name] : null) ?? { kind: "free" };
}

class Reader {
  readonly #help = new Help();

  constructor(readonly meanings: Meanings) {}

  command(command: Command, siblings: readonly string[] = []): CompletedCommand {
    const names = command.commands.map((below) => below.name());
    return {
      name: command.name(),
      description: command.description(),
      commands: this.#help.visibleCommands(command).map((below) => this.command(below, names)),
      options: this.#help.visibleOptions(command).map((option) => this.#option(option)),
      operands:
        command.name() === "help"
          ? [{ name: "command", variadic: false, values: words(siblings) }]
          : command.registeredArguments.map((argument) => this.#operand(argument)),
    };
  }

  #option({ short, long, flags, description, argChoices }: Option): CompletedOption {
    const name = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(flags)?.[1];
    return {
      names: [short, long].filter((flag) => flag !== undefined && flag !== null),
      description,
      value: name === undefined ? null : { name, values: valuesOf(this.meanings, name, argChoices) },
    };
  }

  #operand(argument: Argument) {
    const [name, { variadic, argChoices }] = [argument.name(), argument];
    return { name, variadic, values: valuesOf(this.meanings, name, argChoices) };
  }
}

/** The whole program: without a command, the options of `start` count too. */
export async function readProgram(program: Command): Promise<CompletedCommand> {
  const tree = new Reader(await readMeanings()).command(program);
  const start = tree.commands.find(({ name }) => name === "start");
  const more = start?.options.filter(({ names }) => !names.includes("--help")) ?? [];
  return { ...tree, options: [...tree.options, ...more] };
}

/** Every command with the words that lead to it; the program itself has none. */
export function* everyCommand(
  command: CompletedCommand,
  path: readonly string[] = [],
): Generator<{ command: CompletedCommand; path: readonly string[] }> {
  yield { command, path };
  for (const below of command.commands) yield* everyCommand(below, [...path, below.name]);
}
