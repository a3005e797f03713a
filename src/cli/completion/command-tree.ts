/** Reads the commands and options that a shell can complete. */
import { type Argument, type Command, Help, type Option } from "commander";
import { groups } from "../../drift/groups.js";
import { bundledScenarioNames } from "../../scenarios/bundled-scenarios.js";
import { serviceOperations } from "../../service/index.js";
import { eventKinds } from "../../service/webhooks/events.js";
import { switchableAssumptions } from "../assumptions/variations.js";
import { operations } from "../call/operations.js";

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
